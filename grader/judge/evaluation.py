"""One exchange with a worker as a differentiable function of the judge's autograd."""

from typing import Any

import torch
from torch import Tensor

from grader.judge.link import Link
from grader.worker.frames import ProtocolError

_BEFORE_TENSORS = 5  # arguments of `_Evaluation.forward` that are not tensors


def evaluate(
    link: Link, label: str, body: dict[str, Any], sent: list[Tensor], hidden: list[Tensor]
) -> tuple[dict[str, Any], list[Tensor]]:
    """Send `body` with the tensors `sent`; the reply and its tensors.

    The reply's tensors are differentiable by those of `sent` that body["leaves"] counts, and by `hidden`,
    tensors that the worker has already: the parameters of the modules involved.
    """
    if not body["leaves"] and not hidden:
        return link.request(label, body, sent)
    replies: list[dict[str, Any]] = []
    outputs = _Evaluation.apply(link, label, body, replies, len(sent), *sent, *hidden)
    return replies[0], list(outputs)


class _Graph:
    """The graph of an evaluation, kept in the worker as long as this is kept here."""

    def __init__(self, link: Link, number: int) -> None:
        self.link, self.number = link, number

    def __del__(self) -> None:
        self.link.free(self.number)


class _Evaluation(torch.autograd.Function):
    """Evaluates in the worker; its backward is a vector-Jacobian product there, if need be an evaluation too."""

    @staticmethod
    def forward(
        ctx: Any,
        link: Link,
        label: str,
        body: dict[str, Any],
        replies: list[dict[str, Any]],
        count: int,
        *tensors: Tensor,
    ) -> tuple[Tensor, ...]:
        body["id"] = link.new_number()
        reply, outputs = link.request(label, body, list(tensors[:count]))
        replies.append(reply)
        differentiable = _differentiable(link, reply, outputs)
        ctx.set_materialize_grads(False)
        ctx.link, ctx.label, ctx.count, ctx.outputs = link, label, len(tensors), differentiable
        if differentiable:
            ctx.graph = _Graph(link, body["id"])
        # Where among `tensors` the worker's leaves are, in its order.
        ctx.leaves = [*body["leaves"], *range(count, len(tensors))]
        ctx.save_for_backward(*[tensors[position] for position in ctx.leaves])
        fixed = set(range(len(outputs))) - set(differentiable)
        ctx.mark_non_differentiable(*[outputs[position] for position in fixed])
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        result: list[Tensor | None] = [None] * (_BEFORE_TENSORS + ctx.count)
        outputs = [position for position in ctx.outputs if gradients[position] is not None]
        wanted = [
            (order, _BEFORE_TENSORS + position)
            for order, position in enumerate(ctx.leaves)
            if ctx.needs_input_grad[_BEFORE_TENSORS + position]
        ]
        if outputs and wanted:
            leaves = ctx.saved_tensors
            vectors = [gradients[position] for position in outputs]
            again = torch.is_grad_enabled()
            body = {
                "op": "grad",
                "of": ctx.graph.number,
                "outputs": outputs,
                "wanted": [order for order, _ in wanted],
                "create_graph": again,
                "leaves": list(range(len(vectors))) if again else [],
            }
            reply, found = evaluate(ctx.link, ctx.label, body, vectors, list(leaves) if again else [])
            present = ctx.link.result(reply).get("present")
            if not _are_positions(present, len(wanted)) or len(present) != len(found):
                ctx.link.reject(ProtocolError("gradients of something else"))
            for index, gradient in zip(present, found, strict=True):
                order, position = wanted[index]
                leaf = leaves[order]
                if (gradient.shape, gradient.dtype, gradient.device) != (leaf.shape, leaf.dtype, leaf.device):
                    ctx.link.reject(ProtocolError("a gradient of the wrong shape, dtype or device"))
                result[position] = gradient
        return tuple(result)


def _differentiable(link: Link, reply: dict[str, Any], outputs: list[Tensor]) -> list[int]:
    """The positions of the outputs that have a graph in the worker."""
    result = reply.get("ok")
    positions = result.get("differentiable", []) if type(result) is dict else []
    if not _are_positions(positions, len(outputs)) or not all(
        outputs[position].is_floating_point() or outputs[position].is_complex() for position in positions
    ):
        link.reject(ProtocolError("gradients for something else"))
    return list(positions)


def _are_positions(value: Any, count: int) -> bool:
    return (
        type(value) is list
        and len(set(map(str, value))) == len(value)
        and all(type(position) is int and 0 <= position < count for position in value)
    )
