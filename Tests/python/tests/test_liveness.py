"""When a server is asked and given up, at given times."""

from __future__ import annotations

import unittest

from marquee_client.errors import ConnectionEnded, ProtocolError
from marquee_client.liveness import Liveness, interval_of
from marquee_client.schema import pb


def welcome(interval: int = 2_000, least: int = 1_000) -> object:
    return pb.Welcome(ping_interval_ms=interval, ping_minimum_ms=least)


class LivenessTests(unittest.TestCase):
    def setUp(self) -> None:
        self.liveness = Liveness(0)

    def test_a_frame_that_does_not_end_in_three_intervals_ends_the_connection(self) -> None:
        for half_second in range(2, 14):
            # Each byte is a sign of life.
            self.liveness.heard(half_second / 2, frames=0, is_unfinished=True)
            self.assertFalse(self.liveness.wants_ping(half_second / 2, welcome()))
        with self.assertRaises(ProtocolError) as raised:
            self.liveness.wants_ping(7, welcome())
        self.assertEqual(raised.exception.reason, "FRAME_UNFINISHED")

    def test_a_frame_that_ends_makes_the_next_one_a_new_one(self) -> None:
        self.liveness.heard(1, frames=0, is_unfinished=True)
        self.liveness.heard(6, frames=1, is_unfinished=True)
        self.assertFalse(self.liveness.wants_ping(8, welcome()))
        self.liveness.heard(9, frames=1, is_unfinished=False)
        self.liveness.heard(10, frames=0, is_unfinished=True)
        self.liveness.heard(15, frames=0, is_unfinished=True)
        self.assertFalse(self.liveness.wants_ping(15.9, welcome()))

    def test_a_silent_server_is_asked_once_and_then_given_up(self) -> None:
        self.assertFalse(self.liveness.wants_ping(2, welcome()))
        self.assertTrue(self.liveness.wants_ping(100, welcome()))
        self.assertFalse(self.liveness.wants_ping(102, welcome()))
        with self.assertRaises(ConnectionEnded):
            self.liveness.wants_ping(102.1, welcome())

    def test_an_interval_is_never_below_the_minimum_or_a_second(self) -> None:
        self.assertEqual(interval_of(pb.Welcome()), 20)
        self.assertEqual(interval_of(welcome(interval=0, least=0)), 1)
        self.assertEqual(interval_of(welcome(interval=2_000, least=5_000)), 5)
