"""A server on this machine that replies as OpenAI does, each time the same, as late as it is told.

    python -m bench.llm_server      prints its port, and serves until its input ends

`/200/v1/chat/completions` replies after 200 ms. Only the standard library is needed.
"""

import asyncio
import json
import sys

BODY = json.dumps(
    {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "Otters hold hands."},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14},
    }
).encode()
HEAD = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(BODY)}\r\n\r\n"
REPLY = HEAD.encode() + BODY


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one request after the other on a connection."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            lines = head.decode("latin-1").lower().split("\r\n")
            size = next(int(x.split(":")[1]) for x in lines if x.startswith("content-length"))
            await reader.readexactly(size)
            await asyncio.sleep(int(lines[0].split("/")[1]) / 1000)
            writer.write(REPLY)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main() -> None:
    """Serve until the input ends."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
