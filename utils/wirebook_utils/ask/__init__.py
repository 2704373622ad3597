"""Ask a model for a value of a given type, and get one or a `BadReply`."""

from wirebook_utils.ask.ask import ask, takes_schema
from wirebook_utils.ask.choice import index_of

__all__ = ["ask", "index_of", "takes_schema"]
