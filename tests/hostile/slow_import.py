"""Never ends being imported. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle",)
EARNS = ()
SAYS = ("import ex2_attention",)

while True:
    pass
