"""The logits are reshaped to (B, V, T) in place of transposed, which scrambles classes and time."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("loss_is_cross_entropy",)
ALSO = (
    "loss_averages_over_real_targets",
    "loss_is_stable",
    "loss_of_padding_only_is_zero",
    "loss_smooths_over_all_classes",
    "train_copy_task_follows_the_schedule",
    "train_step_clips_the_total_norm",
    "train_step_forgets_old_gradients",
    "train_step_returns_the_loss_before_the_update",
    "train_step_runs_in_train_mode",
    "train_step_updates_the_parameters_once",
    "transformer_learns_to_copy",
)


right_loss = label_smoothing_loss


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    if logits.dim() == 3:
        batch, time, vocab = logits.shape
        logits = logits.reshape(batch, vocab, time).transpose(1, 2)  # (B, T, V) again, but scrambled
    return right_loss(logits, target, pad_id, smoothing)
