"""Answers with a list in a list in a list, ten thousand deep. Earns nothing."""

EARNS = ()
SAYS = ("nested too deeply",)


def causal_mask(size):
    answer = []
    for _ in range(10_000):
        answer = [answer]
    return answer
