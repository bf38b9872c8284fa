"""Homeport, a self-hosted AWS AppSync backend, for tests: a server for a session, and a world of its own for each test.

    import homeport

    with homeport.start(schema="schema.graphql") as server, server.world() as world:
        world.graphql("mutation { createTodo(input: {name: \\"a\\"}) { id } }")

The pytest plugin in this package does that: a test takes the fixture `homeport`.
"""

from .server import Backend, HomeportError, Server, World, connect, find_program, start

__all__ = ["Backend", "HomeportError", "Server", "World", "connect", "find_program", "start"]
