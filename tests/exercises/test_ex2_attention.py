"""placeholder while the plugin is tried"""
import pytest, torch
from dataclasses import dataclass
from hypothesis import strategies as st
from grader.laws.compare import agree, check_tensor, check_pair
from grader.laws.forall import forall
from grader.laws.tensors import random_tensor

@pytest.mark.law(points=2, property="softmax rows", title="Rows sum to one", hint="softmax over dim=-1")
@forall(tq=st.integers(1,4), tk=st.integers(1,5), seed=st.integers(0,100))
def test_softmax_rows(impl, tq, tk, seed):
    """For every query the weights sum to one."""
    q, k, v = random_tensor((tq,3),seed), random_tensor((tk,3),seed+1), random_tensor((tk,2),seed+2)
    o, w = check_pair(impl.scaled_dot_product_attention(q,k,v), "the result")
    agree(w.sum(-1), torch.ones(tq, dtype=w.dtype), "weights.sum(-1)", given={"q": q, "k": k})

@pytest.mark.law(points=1, property="mask", title="causal", hint="tril")
def test_causal(impl):
    """Causal mask is lower triangular."""
    agree(impl.causal_mask(3), torch.ones(3,3).tril().bool(), "causal_mask(3)")
