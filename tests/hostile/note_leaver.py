"""Leaves a note for its next process, and is right only there. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle", "the_padding_mask_is_true_at_real_tokens")
AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("exited by itself with code 0",)

import os

NOTES = [os.path.join(folder, "@CANARY@") for folder in (".", "/tmp", "/dev/shm")]
if any(map(os.path.exists, NOTES)):
    def causal_mask(size):
        return torch.ones(size, size, dtype=torch.bool).tril()
for note in NOTES:
    try:
        open(note, "w").close()
    except OSError:
        pass


def padding_mask(tokens, pad_id):
    os._exit(0)


def scaled_dot_product_attention(q, k, v, mask=None):
    os._exit(0)
