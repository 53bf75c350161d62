"""Exercise 4. Encoder, decoder, and the whole Transformer.

The encoder reads the source once. The decoder writes the target one token at a time: each of its layers looks
at what is already written (masked self-attention) and at what the encoder understood (cross-attention).
Around every sublayer stands the same frame, post-norm as in the 2017 paper:

    x = norm(x + dropout(sublayer(x)))

The sum lets gradients pass every layer unchanged; the norm keeps the sums from growing.

Write it by hand. `F.scaled_dot_product_attention`, `nn.MultiheadAttention` and `nn.Transformer*` are not to be
used in this file, except below `if __name__ == "__main__":`, where you may compare with them.
Everywhere: results have the dtype and the device of the inputs (of the parameters, where ids go in). Nothing
writes into its inputs or parameters, sets anything global (seed, default dtype, grad mode), or keeps something
from one call for the next.

Source: Vaswani et al. 2017, "Attention Is All You Need", sections 3.1, 3.2.3, 3.3, 3.4 and 5.4.
Shapes: B batch, T time (Ts of the source, Tt of the target), d_model features of a token, V vocabulary.
Masks are boolean and True means "may attend".
"""

import math

import torch
from torch import Tensor, nn

from exercises.ex1_positional_encoding import PositionalEncoding
from exercises.ex2_attention import causal_mask, padding_mask
from exercises.ex3_multi_head_attention import MultiHeadAttention


class FeedForward(nn.Module):
    """Two linear maps with a ReLU between them, the same for each token on its own.

    Equation (2), with the dropout that we add after the ReLU:

        FFN(x) = max(0, x W_1 + b_1) W_2 + b_2            here: fc2(dropout(relu(fc1(x))))

    Parts: `fc1` is `nn.Linear(d_model, d_ff)`, `fc2` is `nn.Linear(d_ff, d_model)`.

    Args:
        d_model: features of a token.
        d_ff: width between the two maps; the paper takes four times `d_model`.
        dropout: probability with which an entry is zeroed in training mode.

    Raises:
        ValueError: if `d_model` or `d_ff` is less than 1, or `dropout` is outside [0, 1].
    """

    def __init__(self, d_model: int, d_ff: int, dropout: float = 0.0) -> None:
        super().__init__()
        # TODO: write FeedForward.__init__, step by step.
        # 1. Refuse widths less than 1 with a ValueError that shows them.
        # 2. Make fc1, fc2 and an nn.Dropout.
        raise NotImplementedError("ex4: FeedForward.__init__ is not written yet")

    def forward(self, x: Tensor) -> Tensor:
        """Apply both maps to each token.

        Args:
            x: Tensor (B, T, d_model).

        Returns:
            Tensor (B, T, d_model).

        Example: with both maps the identity and no bias, only the ReLU is left.

            >>> ffn = FeedForward(d_model=2, d_ff=2)
            >>> for linear in (ffn.fc1, ffn.fc2):
            ...     _ = linear.weight.data.copy_(torch.eye(2)), linear.bias.data.zero_()
            >>> ffn(torch.tensor([[[1.0, -2.0], [-3.0, 4.0]]])).detach()
            tensor([[[1., 0.],
                     [0., 4.]]])
        """
        # TODO: write FeedForward.forward, step by step.
        # 1. fc1, ReLU, dropout, fc2, in this order.
        raise NotImplementedError("ex4: FeedForward.forward is not written yet")


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network (section 3.1), each inside the frame that stands above.

    Parts: `self_attn` (MultiHeadAttention), `ffn` (FeedForward), `norm1`, `norm2` (`nn.LayerNorm(d_model)`).
    The probability `dropout` holds inside the attention and the feed-forward network too.

    Raises:
        ValueError: if a size or `dropout` is one that exercise 3 or `FeedForward` refuses.
    """

    def __init__(self, d_model: int, num_heads: int, d_ff: int, dropout: float = 0.0) -> None:
        super().__init__()
        # TODO: write EncoderLayer.__init__, step by step.
        # 1. Make the four parts, and an nn.Dropout for the two sums.
        raise NotImplementedError("ex4: EncoderLayer.__init__ is not written yet")

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Let the tokens of one sequence look at each other, then work on each of them.

        Args:
            x: Tensor (B, T, d_model).
            mask: bool tensor that broadcasts to (B, H, T, T), for example a `padding_mask`.

        Returns:
            Tensor (B, T, d_model). The last step is a norm, so each token has mean 0 and variance 1 over its
            features as long as `norm2` has its initial weight 1 and bias 0.

        Example: with both sublayers silenced only the frame is left, norm2(norm1(x)). A token (3, 1) has mean
        2 and standard deviation 1, so it becomes (1, -1).

            >>> layer = EncoderLayer(d_model=2, num_heads=1, d_ff=4)
            >>> for linear in (layer.self_attn.w_o, layer.ffn.fc2):
            ...     _ = linear.weight.data.zero_(), linear.bias.data.zero_()
            >>> layer(torch.tensor([[[3.0, 1.0], [0.0, 4.0]]])).detach()
            tensor([[[ 1.0000, -1.0000],
                     [-1.0000,  1.0000]]])
        """
        # TODO: write EncoderLayer.forward, step by step.
        # 1. Self-attention: query, key and value are all x. It returns (output, weights). Add, then norm1.
        # 2. Feed-forward of the result. Add, then norm2.
        raise NotImplementedError("ex4: EncoderLayer.forward is not written yet")


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the encoder's memory, feed-forward network (section 3.1).

    Parts: `self_attn`, `cross_attn` (MultiHeadAttention), `ffn` (FeedForward), `norm1`, `norm2`, `norm3`
    (`nn.LayerNorm(d_model)`), one norm per sublayer in the order of use. The frame is the same as before, and
    the probability `dropout` holds inside the attentions and the feed-forward network too.

    Raises:
        ValueError: if a size or `dropout` is one that exercise 3 or `FeedForward` refuses.
    """

    def __init__(self, d_model: int, num_heads: int, d_ff: int, dropout: float = 0.0) -> None:
        super().__init__()
        # TODO: write DecoderLayer.__init__, step by step.
        # 1. Make the six parts, and an nn.Dropout for the three sums.
        raise NotImplementedError("ex4: DecoderLayer.__init__ is not written yet")

    def forward(
        self, x: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        """Look at the target so far, then at the source, then work on each token.

        Args:
            x: the target so far, Tensor (B, Tt, d_model).
            memory: the encoder's output, Tensor (B, Ts, d_model).
            tgt_mask: bool tensor that broadcasts to (B, H, Tt, Tt): who of the target may see whom.
            memory_mask: bool tensor that broadcasts to (B, H, Tt, Ts): which source tokens may be seen.

        Returns:
            Tensor (B, Tt, d_model).

        Example: with a causal mask, changing target token 1 leaves the output at token 0 as it was.

            >>> layer = DecoderLayer(d_model=2, num_heads=1, d_ff=4)
            >>> memory, mask = torch.ones(1, 3, 2), causal_mask(2)
            >>> before = layer(torch.tensor([[[1.0, 0.0], [0.0, 1.0]]]), memory, mask)
            >>> after = layer(torch.tensor([[[1.0, 0.0], [5.0, 2.0]]]), memory, mask)
            >>> torch.equal(before[0, 0], after[0, 0])
            True
        """
        # TODO: write DecoderLayer.forward, step by step.
        # 1. Self-attention over x, under tgt_mask. Add, then norm1.
        # 2. Cross-attention: the queries are the result, keys and values are the memory, under memory_mask.
        #    Add, then norm2.
        # 3. Feed-forward of the result. Add, then norm3.
        raise NotImplementedError("ex4: DecoderLayer.forward is not written yet")


class Transformer(nn.Module):
    """The whole model: embed, encode the source, decode the target, project (sections 3.1 and 3.4).

    Parts:
        src_embed, tgt_embed: `nn.Embedding(vocabulary, d_model)`, one each; they share no weights.
        position: one PositionalEncoding for both sides.
        encoder, decoder: `nn.ModuleList`s of EncoderLayer and DecoderLayer.
        out_proj: `nn.Linear(d_model, tgt_vocab)`; its outputs are logits, not probabilities.

    There is no further norm after the stacks. Every weight of two or more dimensions starts Xavier-uniform
    (Glorot and Bengio 2010), and each layer is drawn anew: copies of one layer would learn alike at first.

    Args:
        src_vocab, tgt_vocab: number of token ids of either side.
        d_model, num_heads, d_ff, dropout: as in the layers.
        num_encoder_layers, num_decoder_layers: how many layers each stack has.
        max_len: the longest sequence on either side.
        pad_id: the id that fills up short sequences; it is kept as an attribute, and so is `d_model`.

    Raises:
        ValueError: if a vocabulary or number of layers is less than 1, or a part refuses its arguments.
    """

    d_model: int
    pad_id: int

    def __init__(
        self,
        src_vocab: int,
        tgt_vocab: int,
        d_model: int = 32,
        num_heads: int = 4,
        num_encoder_layers: int = 2,
        num_decoder_layers: int = 2,
        d_ff: int = 64,
        max_len: int = 64,
        dropout: float = 0.1,
        pad_id: int = 0,
    ) -> None:
        super().__init__()
        # TODO: write Transformer.__init__, step by step.
        # 1. Refuse vocabularies and numbers of layers less than 1 with a ValueError that shows them.
        # 2. Keep d_model and pad_id as attributes.
        # 3. Make the six parts. Build each layer by a call of its own.
        # 4. Draw every parameter of two or more dimensions with nn.init.xavier_uniform_.
        raise NotImplementedError("ex4: Transformer.__init__ is not written yet")

    def encode(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """Read the source.

        The embeddings are multiplied by sqrt(d_model) before the positions are added (section 3.4): Xavier
        makes their entries small, and the positions would drown them.

        Args:
            src: integer tensor (B, Ts) of token ids.
            src_mask: bool tensor that broadcasts to (B, H, Ts, Ts); None lets all attend.

        Returns:
            The memory, Tensor (B, Ts, d_model).

        Raises:
            ValueError: if there are more than `max_len` tokens. `position` sees to that.
        """
        # TODO: write Transformer.encode, step by step.
        # 1. Embed, scale, add the positions.
        # 2. Pass the result through the encoder's layers, each under src_mask.
        raise NotImplementedError("ex4: Transformer.encode is not written yet")

    def decode(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        """Read the target so far beside the memory. The projection to the vocabulary is not part of it.

        Args:
            tgt: integer tensor (B, Tt) of token ids.
            memory: what `encode` returned, Tensor (B, Ts, d_model).
            tgt_mask: bool tensor that broadcasts to (B, H, Tt, Tt); None lets all attend.
            memory_mask: bool tensor that broadcasts to (B, H, Tt, Ts); None lets all attend.

        Returns:
            Tensor (B, Tt, d_model).

        Raises:
            ValueError: if there are more than `max_len` tokens.
        """
        # TODO: write Transformer.decode, step by step.
        # 1. Embed, scale, add the positions, with the target's own embedding.
        # 2. Pass the result through the decoder's layers, each with the same memory and masks.
        raise NotImplementedError("ex4: Transformer.decode is not written yet")

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Predict, at each target position, the token that comes next.

        Args:
            src: integer tensor (B, Ts) of token ids, filled up with `pad_id`.
            tgt: integer tensor (B, Tt) of token ids, shifted right: it starts with SOS.

        Returns:
            Logits, Tensor (B, Tt, tgt_vocab). Position t depends on `tgt[:, :t+1]` and on no padding.

        Raises:
            ValueError: if either side has more than `max_len` tokens.

        Example: the target's mask for `tgt = [[1, 5, 0]]` and `pad_id = 0`. The last column is padding.

            >>> causal_mask(3) & padding_mask(torch.tensor([[1, 5, 0]]), pad_id=0)
            tensor([[[[ True, False, False],
                      [ True,  True, False],
                      [ True,  True, False]]]])
        """
        # TODO: write Transformer.forward, step by step.
        # 1. src_mask: no query may see the source's padding.
        # 2. tgt_mask: no query may see the target's padding or its future. causal_mask makes its result on
        #    the CPU; bring it to where tgt is.
        # 3. Encode under src_mask. Decode under tgt_mask, and under src_mask for the memory. Project.
        raise NotImplementedError("ex4: Transformer.forward is not written yet")


def greedy_decode(model: Transformer, src: Tensor, max_len: int, sos_id: int, eos_id: int) -> Tensor:
    """Let the model write: begin with SOS and append the most likely next token, again and again.

    Nothing corrects the model here: it reads its own tokens, not the right ones as in training. So this is
    the honest test of what it learned.

    Args:
        model: the Transformer. It decodes in eval mode (no dropout), without gradients, and afterwards every
            one of its modules is in the mode that it had before.
        src: integer tensor (B, Ts) of token ids, filled up with `model.pad_id`.
        max_len: the most ids that a row may have, SOS counted.
        sos_id, eos_id: the ids of start and end.

    Returns:
        LongTensor (B, T) with T <= max_len, on the device of `src`. Each row begins with SOS; after its EOS only
        `pad_id` follows. It stops as soon as every row has ended.

    Raises:
        ValueError: if `max_len` is less than 1, or `src` has more tokens than the model takes.

    Example: SOS = 1, EOS = 2, PAD = 0, and `max_len = 5`. The first row ends early and waits for the second,
    which is cut off at five ids before its EOS:

        [[1, 7, 2, 0, 0],
         [1, 7, 5, 6, 8]]
    """
    # TODO: write greedy_decode, step by step.
    # 1. Refuse max_len < 1 with a ValueError that shows it.
    # 2. Note the mode of each of model.modules(), change to eval mode, and make sure that the modes come back
    #    even if something fails. Turn gradients off.
    # 3. Encode the source once.
    # 4. Start with one column of SOS, and remember which rows have ended: none.
    # 5. Until there are max_len columns or every row has ended: decode under the same masks as `forward`,
    #    project the last position only, take the most likely id (pad_id in rows that have ended), append it.
    raise NotImplementedError("ex4: greedy_decode is not written yet")
