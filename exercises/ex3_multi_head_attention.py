"""Exercise 3. Multi-head attention: several small attentions side by side.

One attention can only make one average per query. Split the features into H heads and each head attends in
its own way, over its own d_k = d_model / H features, at the cost of one large attention. A head is a slice of
the projections' features: head `h` owns the features `h*d_k : (h+1)*d_k`.

Write it by hand. `F.scaled_dot_product_attention`, `nn.MultiheadAttention` and `nn.Transformer*` are not to be
used in this file, except below `if __name__ == "__main__":`, where you may compare with them.
Everywhere: results have the dtype and the device of the inputs. Nothing writes into its inputs or parameters,
sets anything global (seed, default dtype, grad mode), or keeps something from one call for the next.

Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2.
Shapes: B batch, Tq queries, Tk keys, H heads, d_k = d_model / H features of a head.
"""

from torch import Tensor, nn

from exercises.ex2_attention import scaled_dot_product_attention


class MultiHeadAttention(nn.Module):
    """Project, attend in H heads at once, join the heads, project again.

    Equation (section 3.2.2), with each W a `nn.Linear` that also has a bias unless `bias=False`:

        MultiHead(Q, K, V) = Concat(head_0, ..., head_{H-1}) W_O
        head_h             = Attention(Q W_Q, K W_K, V W_V), each cut to the features h*d_k : (h+1)*d_k

    Parts, under these names: `w_q`, `w_k`, `w_v`, `w_o`, each `nn.Linear(d_model, d_model, bias=bias)`.

    Args:
        d_model: features of a token.
        num_heads: the number of heads H.
        dropout: probability with which a weight is zeroed in training mode, before it mixes the values.
        bias: whether the four projections have a bias.

    Raises:
        ValueError: if `d_model` or `num_heads` is less than 1, if `d_model` is not a multiple of `num_heads`,
            or if `dropout` is outside [0, 1].
    """

    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.0, bias: bool = True) -> None:
        super().__init__()
        # TODO: write MultiHeadAttention.__init__, step by step.
        # 1. Refuse sizes that cannot be split into equal heads with a ValueError that shows them.
        # 2. Remember the number of heads and their width d_k.
        # 3. Make the four projections w_q, w_k, w_v, w_o, and an nn.Dropout.
        raise NotImplementedError("ex3: MultiHeadAttention.__init__ is not written yet")

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Attend from `query` to `key` and `value`. Self-attention passes the same tensor three times.

        Args:
            query: Tensor (B, Tq, d_model).
            key: Tensor (B, Tk, d_model).
            value: Tensor (B, Tk, d_model).
            mask: bool tensor, True means "may attend", of shape (Tq, Tk), (B, 1, Tq, Tk), (B, 1, 1, Tk) or
                (B, H, Tq, Tk): all broadcast to (B, H, Tq, Tk).

        Returns:
            `(output, weights)` with output (B, Tq, d_model) and weights (B, H, Tq, Tk). In training mode the
            returned weights may be those before or after the dropout.

        Raises:
            ValueError: if `key` and `value` differ in Tk, or the mask is not boolean (both as in exercise 2).

        Example: two tokens, two heads of width one. With every projection the identity, head 0 attends by the
        first feature only, and head 1 by the second; the features are not mixed.

            >>> import torch
            >>> mha = MultiHeadAttention(d_model=2, num_heads=2, bias=False)
            >>> for linear in (mha.w_q, mha.w_k, mha.w_v, mha.w_o):
            ...     _ = linear.weight.data.copy_(torch.eye(2))
            >>> x = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
            >>> output, weights = mha(x, x, x)
            >>> weights[0, 0].detach()      # head 0 sees 1 and 0: softmax of [1*1, 1*0], then of [0*1, 0*0]
            tensor([[0.7311, 0.2689],
                    [0.5000, 0.5000]])
            >>> weights[0, 1].detach()      # head 1 sees 0 and 2: softmax of [0*0, 0*2], then of [2*0, 2*2]
            tensor([[0.5000, 0.5000],
                    [0.0180, 0.9820]])
            >>> output.detach()             # feature 0 comes from head 0, feature 1 from head 1
            tensor([[[0.7311, 1.0000],
                     [0.5000, 1.9640]]])
        """
        # TODO: write MultiHeadAttention.forward, step by step.
        # 1. Project query, key and value.
        # 2. Split the last axis into (H, d_k) and bring the heads before the time: (B, H, T, d_k). A view
        #    straight to (B, H, T, d_k) would mix tokens with heads.
        # 3. Get the weights from exercise 2.
        # 4. Apply the dropout to the weights and mix the values with the result.
        # 5. Bring the heads back behind the time, join them, and apply w_o.
        raise NotImplementedError("ex3: MultiHeadAttention.forward is not written yet")
