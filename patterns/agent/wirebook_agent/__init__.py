"""The research agent: it decides, looks up and writes, with a wire that leads back."""

from wirebook_agent.flow import research_flow
from wirebook_agent.nodes import Decide, LookUp, Research, Write
from wirebook_agent.research import aresearch, research

__all__ = ["Decide", "LookUp", "Research", "Write", "aresearch", "research", "research_flow"]
