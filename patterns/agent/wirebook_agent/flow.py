"""The wiring of the research agent."""

from wirebook import Flow
from wirebook_utils import CallLLM, Search

from wirebook_agent.nodes import Decide, LookUp, Research, Write

MAX_SEARCHES = 5


def research_flow(
    call_llm: CallLLM, search: Search, *, max_searches: int = MAX_SEARCHES
) -> Flow[Research, None]:
    """decide --search--> look_up --> decide;  decide --answer--> write."""
    decide, look_up, write = Decide(call_llm, max_searches), LookUp(search), Write(call_llm)
    decide - "search" >> look_up >> decide
    decide - "answer" >> write
    return Flow(decide)
