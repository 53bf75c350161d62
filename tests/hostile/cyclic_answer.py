"""Answers with a list that contains itself. Earns nothing."""

EARNS = ()
SAYS = ("nested too deeply",)


def causal_mask(size):
    answer = []
    answer.append(answer)
    return answer
