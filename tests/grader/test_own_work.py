"""Which torch shortcuts are found in a source, and which are not taken for one; which are seen running."""

import time

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from grader.laws.own_work import LibraryWatch, shortcuts_in_source

SDPA = "torch.nn.functional.scaled_dot_product_attention"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import torch.nn.functional as F\nF.scaled_dot_product_attention(q, k, v)", SDPA),
        ("import torch\nf = torch.nn.functional.scaled_dot_product_attention", SDPA),
        ("from torch.nn.functional import scaled_dot_product_attention as s\ns(q, k, v)", SDPA),
        ("from torch.nn.functional import *\nscaled_dot_product_attention(q, k, v)", SDPA),
        ("from torch import nn\nG = nn.functional; G.scaled_dot_product_attention(q, k, v)", SDPA),
        ("import torch.nn.functional as F\ngetattr(F, 'scaled_dot_product_attention')(q, k, v)", SDPA),
        ("from torch.nn import MultiheadAttention as M\nM(4, 2)", "torch.nn.MultiheadAttention"),
        ("import torch.nn as nn\nclass A(nn.TransformerEncoder): pass", "torch.nn.TransformerEncoder"),
        (
            "import torch\ntorch.ops.aten._scaled_dot_product_flash_attention.default(q)",
            "torch.ops.aten._scaled_dot_product_flash_attention",
        ),
        ("import torch\ntorch._C._nn.scaled_dot_product_attention(q)", "torch._C._nn.scaled_dot_product_attention"),
        ("import torch\ntorch._native_multi_head_attention(q)", "torch._native_multi_head_attention"),
        ("import torch.nn.functional as F\nF.__dict__['scaled_dot' + '_product']", "torch.nn.functional.__dict__"),
        ("import torch.nn.functional as F\nvars(F)[name](q, k, v)", "torch.nn.functional.__dict__"),
        ("import torch\nwith torch._C.DisableTorchFunction(): f()", "torch._C.DisableTorchFunction"),
        (
            "import threading, torch.nn.functional as F\nthreading.Thread(target=getattr(F, 'scaled_' + rest)).start()",
            "torch.nn.functional.<a computed name>",
        ),
        ("import torch\ngetattr(torch.ops.aten, name)(q)", "torch.ops.aten.<a computed name>"),
        ("from torch.nn import functional as F\ngetattr(F.torch.nn, name)(4, 2)", "torch.nn.<a computed name>"),
        (
            "from torch.nn.modules import activation\ngetattr(activation.F, name)(q)",
            "torch.nn.modules.activation.F.<a computed name>",
        ),
        ("import torch.nn.functional as F\nF.ｓcaled_dot_product_attention(q)", SDPA),
    ],
)
def test_found(text: str, name: str) -> None:
    assert shortcuts_in_source(text) == [(2, name)]


@pytest.mark.parametrize(
    "text",
    [
        "from exercises.ex2_attention import scaled_dot_product_attention as s\ns(q, k, v)",
        "def scaled_dot_product_attention(q): pass\nscaled_dot_product_attention(1)",
        "from torch import nn\nclass Transformer(nn.Module): pass\nTransformer()",
        "from torch.nn.functional import *\ndef scaled_dot_product_attention(q): pass\nscaled_dot_product_attention(1)",
        "import torch.nn.functional as F\n'''F.scaled_dot_product_attention'''  # F.scaled_dot_product_attention",
        "import torch.nn.functional as F\nif __name__ == '__main__':\n    F.scaled_dot_product_attention(q)",
        "from torch import nn\ndef f(model: nn.Transformer) -> nn.Transformer: return model",
        "import torch.nn.functional as F\nF.softmax(x, -1)",
        "import torch\ngetattr(torch.optim, name)(model.parameters())\ngetattr(x, name)",
        "from torch import nn\nclass A(nn.Module):\n    def f(self): return self.__dict__, vars(self)",
        "def f(:",
        "",
    ],
)
def test_not_taken_for_one(text: str) -> None:
    assert shortcuts_in_source(text) == []


@pytest.mark.parametrize("deep", ["torch" + ".a" * 3000, "0" + "+0" * 3000, "if a: pass" + "\nelif a: pass" * 1500])
def test_depths_that_cannot_be_followed_are_no_hiding_place(deep: str) -> None:
    (found,) = shortcuts_in_source(f"import torch\n{deep}\n")
    assert found[1] == "expressions nested too deeply to be read"


def test_long_names_are_read_once() -> None:
    began = time.process_time()
    assert shortcuts_in_source("import torch\n" + ("torch" + ".a" * 800 + "\n") * 50) == []
    assert time.process_time() - began < 3


def chain(first: str, part: str) -> str:
    """`a1=a0.x`, `a2=a1.x` and so on, never run; each name would be longer than the one before."""
    links = "".join(f" a{i + 1}=a{i}{part}\n" for i in range(12_000))
    return f"import {first} as a0\nif 0:\n{links}"


@pytest.mark.parametrize(
    "text",
    [
        chain("torch", ".x"),
        chain("math", ".x"),
        "import torch as a0\na0.a0=a0." + "x" * 100_000 + "\nfrom torch." + "x" * 90_000 + " import a" + ",a" * 3000,
        "if 0:\n" + " from a import*\n" * 6000 + "a\n" * 50_000,
        "import torch\n" + ("getattr(" * 150 + "torch" + ",'x')" * 150 + "\n") * 100,
        "import torch\nif a: pass\n" + "elif a: pass\n" * 300 + "else:\n" + " torch.Transformer\n" * 9000,
    ],
    ids=["chain of torch", "chain of another", "long parts", "star imports", "getattr", "elif"],
)
def test_a_hostile_source_is_read_in_seconds(text: str) -> None:
    """The largest that a source may be is 200 kB; the worst of these took 45 s."""
    assert len(text) < 200_000
    began = time.process_time()
    assert set(shortcuts_in_source(text)) <= {(line, "torch.Transformer") for line in range(10_000)}
    assert time.process_time() - began < 10


@pytest.mark.parametrize("dot", [".", " . ", "\\\n."])
def test_an_import_of_a_name_without_end_is_not_parsed(dot: str) -> None:
    """Python's own parser takes 8 GB for it."""
    began = time.process_time()
    assert shortcuts_in_source(f"import a{f'{dot}a' * 40_000} as b") == [
        (1, "expressions nested too deeply to be read")
    ]
    assert time.process_time() - began < 1


def test_a_long_name_is_no_hiding_place() -> None:
    """`functional.torch` is torch again: names can be as long as one likes and still mean something."""
    text = "import torch\nf = torch" + ".nn.functional.torch" * 5 + "\nf.nn.functional.scaled_dot_product_attention(q)"
    ((line, name),) = shortcuts_in_source(text)
    assert line == 3
    assert name.startswith("torch.nn.functional.")
    assert name.endswith(".scaled_dot_product_attention")


def test_seen_running() -> None:
    seen: set[str] = set()
    x = torch.randn(1, 2, 4)
    with LibraryWatch(seen):
        torch.softmax(x @ x.mT, -1) @ x
        assert not seen
        F.scaled_dot_product_attention(x, x, x)
        assert seen == {SDPA}
        nn.TransformerEncoderLayer(4, 2, 4, batch_first=True).eval()(x)
        assert "torch.nn.functional.multi_head_attention_forward" in seen
        torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(x[None], x[None], x[None])
        assert "torch._scaled_dot_product_flash_attention_for_cpu" in seen
