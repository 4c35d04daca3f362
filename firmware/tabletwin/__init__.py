"""A whole table made of models: the real station program on virtual boards, and hands that move things."""
