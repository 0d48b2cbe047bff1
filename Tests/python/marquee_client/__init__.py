"""A second implementation of Marquee's protocol, written from `Proto/PROTOCOL.md`, the schema and the vectors alone.

It holds screens in memory, recomputes every sum, and can be told apart from the Swift client by nothing on the wire.
Chapter numbers in its comments are those of PROTOCOL.md.
"""
