"""Ask a model: OpenAI, Anthropic, any server that speaks OpenAI's format, or the offline stand-in.

`call_llm` gives the text, `acall_llm` does so inside an event loop, `stream_llm` and `astream_llm`
give it piece by piece, `chosen_model` says who would answer. The files, from the outside in: `call`
(the public functions), `choose` and `address` (whom to ask, and where), `messages` (what), `engine`
(one attempt after the other), `openai` and `anthropic` (the two wire formats), `reply`, `retry` and
`faults` (what came of it).

Left out: tools, pictures, and a cache. A message may hold what its provider takes.
"""

from wirebook_utils.call_llm.call import acall_llm, astream_llm, call_llm, stream_llm
from wirebook_utils.call_llm.choose import NOTICE, chosen_model

__all__ = ["NOTICE", "acall_llm", "astream_llm", "call_llm", "chosen_model", "stream_llm"]
