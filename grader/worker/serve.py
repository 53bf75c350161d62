"""The loop in the sandboxed child: loads a submission, calls its functions, answers with values or failures.

Everything that it says is a claim to the judge: the code it runs shares its process.
"""

import importlib
import os
import socket
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NoReturn

import torch
from torch import Tensor, nn

from grader.laws import global_state, probes
from grader.worker import frames, tools
from grader.worker.failures import describe
from grader.worker.loader import PACKAGE, MemoryFinder
from grader.worker.modules import TrackedModule
from grader.worker.values import Encoder, decode
from grader.worker.watch import CallWatch

Request = dict[str, Any]
# Imported with this module: the zygote forgets the course before a submission is loaded.
_OWN_MODULES: dict[str, ModuleType] = {"tools": tools, "probes": probes}


def serve(connection: socket.socket) -> NoReturn:
    """Answer requests until the judge closes the connection; then end the process."""
    server = Server(connection)
    try:
        while True:
            server.answer(*frames.receive(connection, frames.FROM_JUDGE))
    except frames.PeerClosed:
        os._exit(0)  # at once: no exit handlers or threads of the student's


@dataclass
class _Evaluation:
    """A call whose graph is kept for its gradients."""

    leaves: list[Tensor]
    outputs: list[Tensor]


class Server:
    """The state of one worker: objects that the judge holds handles of, and graphs it may differentiate."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._objects: dict[int, Any] = {}
        self._modules: dict[int, TrackedModule] = {}
        self._handles: dict[int, int] = {}
        self._last_handle = 0
        self._evaluations: dict[int, _Evaluation] = {}
        self._files: frozenset[str] = frozenset()
        self._device = "cpu"
        self._settings = global_state.settings()

    def answer(self, request: Request, tensors: list[Tensor]) -> None:
        """Do what one request asks for and reply, whatever happens meanwhile."""
        operations = {"load": self._load, "call": self._call, "grad": self._grad}
        try:
            self._forget(request)
            reply, outgoing = operations[request["op"]](request, tensors)
        except BaseException as error:
            reply, outgoing = self._failure(error), []
        reply["id"] = request["id"]
        try:
            frames.send(self._connection, reply, outgoing)
        except frames.PeerClosed:
            raise
        except BaseException as error:
            frames.send(self._connection, {**self._failure(error), "id": request["id"]})

    def _failure(self, error: BaseException) -> Request:
        """Describing runs the student's code as well (`__str__`), and may fail in turn."""
        try:
            return {"error": describe(error, self._files)}
        except BaseException as again:
            return {"error": describe(RuntimeError(f"a failure without words ({type(again).__name__})"), ())}

    def _forget(self, request: Request) -> None:
        for evaluation in request.get("free", ()):
            self._evaluations.pop(evaluation, None)
        for handle in request.get("drop", ()):
            self._modules.pop(handle, None)
            self._handles.pop(id(self._objects.pop(handle, None)), None)

    # operations

    def _load(self, request: Request, _: list[Tensor]) -> tuple[Request, list[Tensor]]:
        self._device = request["device"]
        self._files = frozenset(request["files"])
        MemoryFinder(request["files"]).install()
        try:
            module = importlib.import_module(request["main"])
        finally:
            global_state.restore(self._settings)
        return {"ok": {"missing": [name for name in request["names"] if not hasattr(module, name)]}}, []

    def _call(self, request: Request, tensors: list[Tensor]) -> tuple[Request, list[Tensor]]:
        if request.get("renew"):
            global_state.renew(self._settings)
        self._take_pushed(request, tensors)
        tensors = [self._placed(tensor) for tensor in tensors]
        leaves = [tensors[position].requires_grad_() for position in request["leaves"]]
        for handle, names in request["hidden"]:
            leaves += self._modules[handle].parameters(names)
        arguments = decode(request["args"], tensors, self._decode_object)
        options = decode(request["kwargs"], tensors, self._decode_object)
        watch = None
        if "watch" in request:
            watch = CallWatch({position: tensors[position] for position in request["watch"]})
        involved = [self._modules[handle] for handle in request["modules"]]
        if request["module"].startswith(PACKAGE):
            for tracked in involved:
                tracked.keep_values()
        encoder = Encoder(self._encode_object)
        try:
            value = self._run(request, arguments, options, watch)
            reply: Request = {"ok": {"value": encoder.tree(value)}}
        except BaseException as error:
            reply, encoder = self._failure(error), Encoder(self._encode_object)
        outputs = list(encoder.tensors)
        if leaves and "ok" in reply:
            reply["ok"]["differentiable"] = self._keep_graph(request["id"], leaves, outputs)
        changes = [[handle, self._modules[handle].look()] for handle in request["modules"]]
        reply["changes"] = [[handle, encoder.tree(change)] for handle, change in changes if change is not None]
        if watch is not None:
            reply["watched"] = watch.report()
        return reply, encoder.tensors

    def _grad(self, request: Request, tensors: list[Tensor]) -> tuple[Request, list[Tensor]]:
        """A vector-Jacobian product of an earlier evaluation, itself one with `create_graph`."""
        earlier = self._evaluations[request["of"]]
        tensors = [self._placed(tensor) for tensor in tensors]
        again = request["create_graph"]
        if again:
            tensors = [tensor.requires_grad_() for tensor in tensors]
        gradients = torch.autograd.grad(
            [earlier.outputs[position] for position in request["outputs"]],
            [earlier.leaves[position] for position in request["wanted"]],
            tensors,
            allow_unused=True,
            retain_graph=True,
            create_graph=again,
        )
        found = [gradient for gradient in gradients if gradient is not None]
        reply: Request = {"present": [i for i, gradient in enumerate(gradients) if gradient is not None]}
        if again:
            leaves = tensors + earlier.leaves
            reply["differentiable"] = self._keep_graph(request["id"], leaves, found)
        return {"ok": reply}, found

    # the parts of a call

    def _take_pushed(self, request: Request, tensors: list[Tensor]) -> None:
        for handle, pushed in request.get("push", ()):
            tracked = self._modules[handle]
            state = decode(pushed, tensors, self._decode_object)
            tracked.set_tensors(state["tensors"])
            tracked.set_gradients(state["gradients"])
            tracked.set_modes(state["modes"])

    def _run(self, request: Request, arguments: list[Any], options: Any, watch: CallWatch | None) -> Any:
        function = self._target(request)
        with torch.set_grad_enabled(request["grad"]), watch or nullcontext():
            return function(*arguments, **options)

    def _placed(self, tensor: Tensor) -> Tensor:
        return tensor if self._device == "cpu" or tensor.is_meta else tensor.to(self._device)

    def _target(self, request: Request) -> Callable[..., Any]:
        module = request["module"]
        if "on" in request:
            owner = self._objects[request["on"]]
        else:
            owner = _OWN_MODULES.get(module) or importlib.import_module(module)
        for name in request["path"].split(".") if request["path"] else ():
            owner = getattr(owner, name)
        return owner

    def _keep_graph(self, evaluation: int, leaves: list[Tensor], outputs: list[Tensor]) -> list[int]:
        differentiable = [position for position, output in enumerate(outputs) if output.requires_grad]
        if differentiable:
            self._evaluations[evaluation] = _Evaluation(leaves, outputs)
        return differentiable

    # objects that stay here, known to the judge by a handle

    def _encode_object(self, value: Any, encoder: Encoder) -> Any:
        handle = self._handles.get(id(value))
        if handle is not None:
            return {"handle": handle}
        self._last_handle += 1
        handle = self._last_handle
        self._objects[handle] = value
        self._handles[id(value)] = handle
        if not isinstance(value, nn.Module):
            return {"handle": handle, "type": type(value).__name__[:120]}
        if self._device != "cpu":
            value.to(self._device)
        tracked = self._modules[handle] = TrackedModule(value)
        return {"handle": handle, "module": encoder.tree(tracked.look())}

    def _decode_object(self, content: Any) -> Any:
        owner = self._objects[content["handle"]]
        return owner.get_submodule(content["path"]) if content.get("path") else owner
