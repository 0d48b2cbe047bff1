"""A second implementation of Marquee's protocol, written from `Proto/PROTOCOL.md`, the schema and the vectors alone.

It holds screens in memory and recomputes every sum; it has no mirror on disk and no outbox.
Chapter numbers in its comments are those of PROTOCOL.md.
"""
