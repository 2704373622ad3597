"""A model of 350 kB with random weights: it says nonsense, but it is served like a real one.

The format is GGUF 3: a header, keys with typed values, a table of tensors, and their floats
(https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
"""

import random
import struct
from array import array
from pathlib import Path
from typing import Any

WIDTH, HEADS, HIDDEN, CONTEXT = 64, 4, 128, 8192
ALIGNED = 32
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6

BYTES = [f"<0x{i:02X}>" for i in range(256)]
TOKENS = ["<unk>", "<s>", "</s>", *BYTES, *map(chr, range(33, 127)), "\u2581"]
KINDS = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, *[NORMAL] * 95]

KEYS: dict[str, Any] = {
    "general.architecture": "llama",
    "general.file_type": 0,
    "llama.context_length": CONTEXT,
    "llama.embedding_length": WIDTH,
    "llama.block_count": 1,
    "llama.feed_forward_length": HIDDEN,
    "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": HEADS,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "llama.rope.dimension_count": WIDTH // HEADS,
    "tokenizer.ggml.model": "llama",
    "tokenizer.ggml.tokens": TOKENS,
    "tokenizer.ggml.scores": [0.0] * len(TOKENS),
    "tokenizer.ggml.token_type": KINDS,
    "tokenizer.ggml.bos_token_id": 1,
    "tokenizer.ggml.eos_token_id": 2,
    "tokenizer.ggml.unknown_token_id": 0,
    "tokenizer.chat_template": (
        "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant: "
    ),
}

SHAPES = {
    "token_embd.weight": (len(TOKENS), WIDTH),
    "output.weight": (len(TOKENS), WIDTH),
    "output_norm.weight": (WIDTH,),
    "blk.0.attn_norm.weight": (WIDTH,),
    "blk.0.ffn_norm.weight": (WIDTH,),
    **{f"blk.0.attn_{name}.weight": (WIDTH, WIDTH) for name in ("q", "k", "v", "output")},
    "blk.0.ffn_gate.weight": (HIDDEN, WIDTH),
    "blk.0.ffn_up.weight": (HIDDEN, WIDTH),
    "blk.0.ffn_down.weight": (WIDTH, HIDDEN),
}


def text(value: str) -> bytes:
    """Write a text with its length before it."""
    return struct.pack("<Q", len(value.encode())) + value.encode()


def typed(value: Any) -> bytes:
    """Write a value with its type before it: 4 or, in lists, 5 a number; 6, 8, 9 the others."""
    if isinstance(value, str):
        return struct.pack("<I", 8) + text(value)
    if isinstance(value, list):
        items = [typed(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
        kind = max(struct.unpack("<I", items[0][:4])[0], 5)
        return struct.pack("<IIQ", 9, kind, len(items)) + b"".join(item[4:] for item in items)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    return struct.pack("<II", 4, value)


def write_tiny(path: Path) -> Path:
    """Write the model; the same bytes each time."""
    numbers = random.Random(0)
    table, data = b"", b""
    for name, shape in SHAPES.items():
        size = shape[0] * (shape[1] if len(shape) > 1 else 1)
        one = "norm" in name
        floats = array("f", [1.0 if one else numbers.gauss(0, 0.1) for _ in range(size)])
        sides = struct.pack(f"<{len(shape)}Q", *reversed(shape))
        table += text(name) + struct.pack("<I", len(shape)) + sides
        table += struct.pack("<IQ", 0, len(data))
        data += floats.tobytes()
        data += bytes(-len(data) % ALIGNED)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(SHAPES), len(KEYS))
    head += b"".join(text(key) + typed(value) for key, value in KEYS.items()) + table
    path.write_bytes(head + bytes(-len(head) % ALIGNED) + data)
    return path
