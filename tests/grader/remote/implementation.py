"""A submission whose worker is a plain forked process."""

import os
import signal
import socket
import sys
import time
from typing import Any

from grader.course import EXERCISES
from grader.judge.link import Status
from grader.judge.remote import RemoteImplementation
from grader.worker.serve import serve

EARLIER = """
import torch
def causal_mask(size):
    return torch.ones(size, size, dtype=torch.bool).tril()
"""

SUBMISSION = """
import os, random, sys, time
import numpy, torch
import torch.nn.functional as F
from torch import nn
from exercises.ex2_attention import causal_mask

def echo(x): return x
def keywords(a, *, b=2, c=None): return {"a": a, "b": b, "c": c, "t": (1, [2.5, None], "s", True), "d": torch.float16}
def layout(x): return [list(x.stride()), x.is_contiguous(), list(x.shape), x.device.type]
def flat(x): return x.view(-1)
def several(x, y): return x * 2, y.argmax(-1), (x * y).sum()
def same(a, b): return a is b
def detached(x): return x.detach()
def first_only(x, y): return x * 3
def cube(x, y): return (x ** 3 * y).sum(-1), y.exp()
def write_into(x): x.add_(1); return x.clone()
def fail(n): raise ValueError(f"n is {n}")
def fail_deep(n): return fail(n) if n == 0 else fail_deep(n - 1)
def not_yet(): raise NotImplementedError("write me")
def leak():
    torch.set_default_dtype(torch.float64); torch.set_grad_enabled(False); torch.manual_seed(3); random.random()
def dtype_of_new(): return torch.ones(1).dtype, torch.is_grad_enabled()
def shortcut(x): return F.scaled_dot_product_attention(x, x, x)
def draw(generator=None): return torch.rand(3, generator=generator)
def hang(): time.sleep(1000)
def spin():
    while True: pass
def die(): os._exit(0)
def leave(): sys.exit(3)
def big(): return torch.zeros(10_000_000)
def no_memory(): raise MemoryError
def strange(): return Strange()
def of_class(x): return type(x).__name__
def words(): raise ValueError("\\x1b[31mred\\u202e" + "x" * 100_000)

class Strange: pass
class Sub(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None): return True
def subclass(): return torch.ones(2).as_subclass(Sub)
def sparse(): return torch.ones(2).to_sparse()

class Tied(nn.Module):
    def __init__(self, vocab=5, d_model=4):
        super().__init__()
        self.d_model = d_model
        self.embed = nn.Embedding(vocab, d_model)
        self.out = nn.Linear(d_model, vocab, bias=False)
        self.out.weight = self.embed.weight
        self.layers = nn.ModuleList([nn.Linear(d_model, d_model) for _ in range(2)])
        self.drop = nn.Dropout(0.5)
        self.register_buffer("table", torch.ones(d_model), persistent=False)
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))
        self.frozen = nn.Parameter(torch.ones(3), requires_grad=False)
    def forward(self, tokens): return self.out(self.encode(tokens))
    def encode(self, tokens, scale=1.0):
        x = self.embed(tokens) * self.table * scale
        for layer in self.layers: x = x + layer(x)
        return self.drop(x)
    def count(self): self.steps += 1

class Net(nn.Module):
    def __init__(self): super().__init__(); self.w = nn.Parameter(torch.randn(3, dtype=torch.float64))
    def forward(self, x): return (x * self.w).tanh()

def train(model, optimizer, steps=3):
    model.train()
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.arange(5)).pow(2).sum().backward()
        optimizer.step()
    return steps
def train_by_data(model):
    model.frozen.data.mul_(2)
def report(model): return {n: "missing" if p.grad is None else float(p.grad.sum()) for n, p in model.named_parameters()}
def decode(model, src):
    model.eval()
    return model(src).argmax(-1), model.training
def grow(model): model.extra = nn.Linear(1, 1)
def remember(model): model.register_buffer("last", torch.ones(2))
def logits(model, src, tgt): return model(src, tgt).detach()
"""


class ForkedProcess:
    """A worker without a sandbox."""

    def __init__(self) -> None:
        self.sock, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self.sock.close()
                # Laws of this very process may have loaded their implementation; a zygote never has one.
                for name in [name for name in sys.modules if name.partition(".")[0] == "exercises"]:
                    del sys.modules[name]
                serve(theirs)
            finally:
                os._exit(1)
        theirs.close()
        self._why: tuple[Status, str] = ("error", "The program exited by itself.")

    def cpu_seconds(self) -> float:
        return time.clock_gettime(~self.pid << 3 | 2)

    def kill(self, why: str, status: Status = "error") -> None:
        self._why = status, f"The program {why} and was stopped."
        os.kill(self.pid, signal.SIGKILL)

    def describe_exit(self) -> tuple[Status, str]:
        return self._why

    def close(self) -> None:
        self.sock.close()
        os.waitpid(self.pid, 0)


def implementation(text: str = SUBMISSION, earlier: str = EARLIER, **options: Any) -> RemoteImplementation:
    files = {"exercises/ex3_multi_head_attention.py": text, "exercises/ex2_attention.py": earlier}
    return RemoteImplementation(ForkedProcess, EXERCISES["ex3"], files, **options)
