"""Decoding writes one row after the other and fills them up at the end, in inference mode."""

import torch


@torch.inference_mode()
def greedy_decode(model, src, max_len, sos_id, eos_id):
    training, rows = model.training, []
    model.eval()
    for source in src.split(1):
        row = [sos_id]
        while len(row) < max_len and (len(row) == 1 or row[-1] != eos_id):
            row.append(model(source, torch.tensor([row], device=src.device))[0, -1].argmax().item())
        rows.append(torch.tensor(row, device=src.device))
    model.train(training)
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=model.pad_id)
