-- evenings, their facts, and what tables reported; rows are only ever added
create table evening (
  no int primary key generated always as identity,
  name text not null unique,
  season text not null,
  began timestamptz not null default now()
);

create table fact (
  evening int not null references evening,
  no int not null check (no > 0), -- from 1 on, without holes
  id uuid not null unique, -- so that a fact whose commit was not heard of is not added again
  came timestamptz not null default now(),
  fact jsonb not null,
  primary key (evening, no)
);

-- a game is reported once for each time at which it ended: after a correction it may end again
create table report (
  table_name text not null,
  game text not null,
  ended_us bigint not null,
  points int[] not null,
  evening int references evening, -- null: nobody had begun one
  came timestamptz not null default now(),
  primary key (table_name, game, ended_us)
);

create function only_added() returns trigger language plpgsql as
$$ begin raise exception 'rows of % are only ever added', tg_table_name; end $$;

create trigger only_added before update or delete or truncate on evening execute function only_added();
create trigger only_added before update or delete or truncate on fact execute function only_added();
create trigger only_added before update or delete or truncate on report execute function only_added();
