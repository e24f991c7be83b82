"""Clients for Freshet: `Client` blocks, `AsyncClient` is for asyncio. Both hold to one protocol."""

from ._asyncio import AsyncClient
from ._client import Client
from ._protocol import Copy, Mismatch, Problem, State, Unreachable

__all__ = ["AsyncClient", "Client", "Copy", "Mismatch", "Problem", "State", "Unreachable"]
