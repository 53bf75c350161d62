"""Calling what lives in a worker: arguments out, value, failure and side effects back."""

from typing import Any

import torch
from torch import Tensor

from grader.judge.evaluation import evaluate
from grader.judge.link import Link
from grader.judge.mirror import Mirror, Opaque, Target, revive
from grader.judge.text import clean
from grader.laws.errors import WorkerLost
from grader.worker.frames import ProtocolError
from grader.worker.values import Encoder, decode

_MAX_TEXT, _MAX_TEXTS = 200, 20


def call(link: Link, target: Target, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call `target` in the worker: its value, or its exception raised here."""
    if link.lost is not None:
        raise link.lost
    return _Call(link, target, args, kwargs).run()


class _Call:
    """One call on its way."""

    def __init__(self, link: Link, target: Target, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._link, self._label = link, target.label
        self._involved: dict[int, Mirror] = {}
        encoder = Encoder(self._encode_object)
        self._body: dict[str, Any] = {
            "op": "call",
            "module": target.module,
            "path": target.path,
            "args": encoder.tree(list(args)),
            "kwargs": encoder.tree(kwargs),
            "grad": torch.is_grad_enabled(),
        }
        arguments = list(encoder.tensors)
        as_arguments = set(self._involved)
        if target.on is not None:
            self._body["on"] = target.on.remote.handle
            self._involved[target.on.remote.handle] = target.on
        self._body["modules"] = list(self._involved)
        if link.policy.renew:
            self._body["renew"], link.policy.renew = True, False
        self._add_observation(arguments)
        self._add_leaves(arguments)
        self._add_changes(encoder, as_arguments)
        self._sent = encoder.tensors

    def run(self) -> Any:
        """Send it, take over what it changed, and give back its value or raise its failure."""
        reply, received = evaluate(self._link, self._label, self._body, self._sent, self._hidden)
        try:
            self._note_changes(reply.get("changes", []), received)
            if "watched" in reply or "ok" in reply:
                self._note_observation(reply.get("watched"))
            result = self._link.result(reply)
            return decode(result.get("value"), received, lambda content: self._revive(content, received))
        except ProtocolError as error:
            self._link.reject(error)

    def _add_observation(self, arguments: list[Tensor]) -> None:
        self._watched: dict[int, int] = {}
        for observation in self._link.policy.watched[-1:]:
            for position, tensor in enumerate(arguments):
                for index, watched in enumerate(observation.tensors):
                    if watched is tensor:
                        self._watched[position] = index
            self._body["watch"] = list(self._watched)

    def _add_leaves(self, arguments: list[Tensor]) -> None:
        """What the value is differentiated by: arguments, and the parameters of the modules involved."""
        self._hidden: list[Tensor] = []
        self._body["leaves"], self._body["hidden"] = [], []
        if not self._body["grad"]:
            return
        self._body["leaves"] = [i for i, tensor in enumerate(arguments) if tensor.requires_grad]
        for handle, mirror in self._involved.items():
            trainable = mirror.trainable()
            self._body["hidden"].append([handle, list(trainable)])
            self._hidden += trainable.values()

    def _add_changes(self, encoder: Encoder, as_arguments: set[int]) -> None:
        pushed = []
        for handle, mirror in self._involved.items():
            unsent = mirror.unsent(with_gradients=handle in as_arguments)
            if unsent is not None:
                pushed.append([handle, encoder.tree(unsent)])
        if pushed:
            self._body["push"] = pushed

    def _note_changes(self, changes: Any, received: list[Tensor]) -> None:
        if type(changes) is not list:
            raise ProtocolError("changes of something else")
        for change in changes:
            if type(change) is not list or len(change) != 2 or type(change[0]) is not int:
                raise ProtocolError("changes of something else")
            mirror = self._involved.get(change[0])
            if mirror is None:
                raise ProtocolError("changes of something else")
            mirror.update(decode(change[1], received, _refuse))

    def _note_observation(self, watched: Any) -> None:
        """Add to the open observations what the worker says it saw."""
        if not self._link.policy.watched:
            return
        if type(watched) is not dict:
            raise ProtocolError("no word of what was watched")
        changed = watched.get("inputs")
        if type(changed) is not list or not all(type(i) is int and i in self._watched for i in changed):
            raise ProtocolError("a changed input that was not sent")
        seen = self._link.policy.watched[-1].seen
        seen.changed_inputs = sorted({*seen.changed_inputs, *(self._watched[i] for i in changed)})
        seen.changed_globals += [s for s in _texts(watched.get("globals")) if s not in seen.changed_globals]
        self._link.policy.library_calls.update(_texts(watched.get("library")))

    def _encode_object(self, value: Any, encoder: Encoder) -> Any:  # noqa: ARG002 - nothing nested
        if isinstance(value, Mirror):
            self._belongs_here(value.remote.link)
            self._involved[value.remote.handle] = value.root
            return {"handle": value.remote.handle, "path": value.path}
        if isinstance(value, Opaque):
            self._belongs_here(value.link)
            return {"handle": value.handle}
        raise TypeError(f"a {type(value).__name__} cannot travel to the student's code in another process")

    def _belongs_here(self, link: Link) -> None:
        if link is not self._link:
            raise link.lost or WorkerLost("error", "The program that an object came from has ended.")

    def _revive(self, content: Any, received: list[Tensor]) -> Any:
        if type(content) is not dict or type(content.get("handle")) is not int:
            raise ProtocolError("an object without a handle")
        handle = content["handle"]
        known = self._link.objects.get(handle)
        if known is not None:
            return known
        if "module" in content:
            return revive(self._link, handle, call, decode(content["module"], received, _refuse))
        if "type" not in content:
            raise ProtocolError("an object that nobody knows")
        opaque = Opaque(self._link, handle, clean(content["type"], _MAX_TEXT))
        self._link.adopt(handle, opaque)
        return opaque


def _refuse(_: Any) -> Any:
    raise ProtocolError("an object where none can be")


def _texts(value: Any) -> list[str]:
    return [clean(text, _MAX_TEXT) for text in value[:_MAX_TEXTS]] if type(value) is list else []
