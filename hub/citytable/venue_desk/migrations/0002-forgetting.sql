-- a player who wants it is forgotten: then, and only then, the text of facts changes
create or replace function only_added() returns trigger language plpgsql as
$$ begin
  if tg_table_name = 'fact' and tg_op = 'UPDATE' and current_setting('citytable.forgetting', true) = 'on' then
    return new;
  end if;
  raise exception 'rows of % are only ever added', tg_table_name;
end $$;
