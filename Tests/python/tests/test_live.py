"""The client against the real server, over TCP."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Optional

from marquee_client import frames, sums
from marquee_client import session as calls
from marquee_client.client import Client
from marquee_client.errors import CallFailed, ConnectionEnded, ProtocolError
from marquee_client.schema import pb
from marquee_client.session import Session
from marquee_client.views import View

from .server import SAMPLES, SECONDS, Damage, Relay, Server, import_samples

USER = "ana"
CHART = "chart/boxoffice"
COLLECTION_SET = "user-collections"


def chart_days() -> list[str]:
    """The days of the sample chart after the first, which is shown already."""
    rows = (SAMPLES / "chart.ndjson").read_text(encoding="utf-8").splitlines()
    changes = [json.loads(row) for row in rows]
    return [change["list"]["edition"] for change in changes if "list" in change][1:]


class LiveCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory(prefix="marquee-python-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        import_samples(cls.folder / "samples")

    def setUp(self) -> None:
        self.numbers = itertools.count(1)  # of mutations: they rise within each client id, gaps allowed

    def serve(self, *arguments: str) -> Server:
        folder = self.folder / self.id().rpartition(".")[2]
        server = Server(self.folder / "samples", folder, *(arguments or ("serve",)))
        self.addCleanup(server.stop)
        return server

    def connect(self, to: object, session: Optional[Session] = None) -> Client:
        client = Client(to.host, to.port, session)
        self.addCleanup(client.close)
        return client

    def publish(self, publisher: Client, *changes: object) -> int:
        """Publishes as one commit, and gives its revision."""
        request = pb.PublishRequest(number=next(self.numbers), last=True)
        request.changes.extend(json.dumps(change).encode() for change in changes)
        answer = publisher.call(calls.PUBLISH, request)
        self.assertTrue(answer.changed)
        return answer.cut.catalogue_revision

    def wait_for(self, client: Client, catalogue: int, user: int = 0) -> None:
        session = client.session
        client.wait(lambda: session.position[0] >= catalogue and session.position[1] >= user, SECONDS)

    def wait_joined(self, client: Client, *subscriptions: int) -> None:
        session = client.session
        client.wait(lambda: session.is_ending or all(session.views[one].joined for one in subscriptions), SECONDS)
        self.assertFalse(session.is_ending, session.subscription_errors)

    def assert_fresh(self, client: Client, subscription: int) -> None:
        """Checks that the patched content is that of a fresh copy of the same revision, byte for byte."""
        mine = client.session.views[subscription]
        fresh, position = client.get_screen(mine.screen)
        self.assertEqual(client.session.position, position)
        self.assertEqual(list(mine.sections), list(fresh.sections))
        for section in mine.contents:
            self.assertEqual(sums.text(mine.contents[section].sum), sums.text(fresh.contents[section].sum), section)
        self.assertEqual(mine.contents, fresh.contents)
        self.assertEqual(mine.sum, fresh.sum)


class Following(LiveCase):
    def test_after_a_replay_all_sums_are_those_of_a_fresh_screen(self) -> None:
        server = self.serve("replay", CHART, "--speed", "20")
        client = self.connect(server, Session(user=USER))
        session = client.session
        favorites, home = session.subscribe(COLLECTION_SET), session.subscribe("home")
        self.wait_joined(client, favorites, home)
        client.wait(server.replayed.is_set, SECONDS)
        self.wait_for(client, client.call(calls.HEALTH).cut.catalogue_revision)
        self.assert_fresh(client, home)
        self.assertEqual(session.refusals, [])

    def test_each_commit_arrives_as_a_verified_patch(self) -> None:
        server = self.serve()
        client, publisher = self.connect(server), self.connect(server, Session(user=USER))
        session = client.session
        home = session.subscribe("home")
        self.wait_joined(client, home)
        snapshot = session.staged_frames
        for day in chart_days()[:8]:
            revision = self.publish(publisher, {"show": {"list": CHART, "edition": day}})
            self.wait_for(client, revision)
            self.assertEqual(session.cuts[-1].position[0], revision)
            self.assertIn(("home", "chart"), session.cuts[-1].sums)
            self.assert_fresh(client, home)
        # A movie that rises moves in one section and changes in others.
        rising = session.views[home].contents["rank"].items[-1]
        movie = rising.subject.removeprefix("movie/")
        change = {"type": "movie", "id": movie, "record": {"popularity": 9_999.5}}
        revision = self.publish(publisher, {"merge": change})
        self.wait_for(client, revision)
        self.assertEqual(session.views[home].contents["rank"].items[0].id, rising.id)
        self.assert_fresh(client, home)
        self.assertEqual((session.refusals, session.staged_frames), ([], snapshot))

    def test_every_screen_that_is_on_offer_verifies(self) -> None:
        client = self.connect(self.serve(), Session(user=USER))
        screens = [one.example for one in client.call(calls.DESCRIBE).screens if one.example]
        self.assertIn("home", screens)
        subscriptions = [client.session.subscribe(screen) for screen in screens]
        self.wait_joined(client, *subscriptions)
        for subscription in subscriptions:
            self.assert_fresh(client, subscription)
        self.assertEqual(client.session.refusals, [])

    def test_a_change_of_sort_and_window_arrives_from_what_is_held(self) -> None:
        client = self.connect(self.serve())
        session = client.session
        described = next(one for one in client.call(calls.DESCRIBE).screens if one.example == "home")
        sorted_one = next(one for one in described.sections if len(one.sorts) > 1)
        windowed = next(one for one in described.sections if len(one.windows) > 1)
        home = session.subscribe("home")
        self.wait_joined(client, home)
        before, staged = session.views[home], session.staged_frames
        request = pb.GetScreenRequest(screen="home")
        request.sections.add(section=sorted_one.id, sort=sorted_one.sorts[-1].id)
        request.sections.add(section=windowed.id, window=max(windowed.windows))
        session.change(home, 1, {one.section: (one.sort, one.window) for one in request.sections})
        client.wait(lambda: session.views[home].generation == 1, SECONDS)
        after = session.views[home]
        self.assertNotEqual(after.handles[sorted_one.id], before.handles[sorted_one.id])
        self.assertNotEqual(after.contents[sorted_one.id], before.contents[sorted_one.id])
        self.assertGreater(len(after.contents[windowed.id].items), len(before.contents[windowed.id].items))
        fresh = client.call(calls.GET_SCREEN, request)
        self.assertEqual({name: one.sum for name, one in after.sections.items()}, {o.id: o.sum for o in fresh.sections})
        self.assertEqual((session.refusals, session.staged_frames), ([], staged))

    def test_a_favorite_arrives_in_the_set_of_collections(self) -> None:
        client = self.connect(self.serve(), Session(user=USER))
        session = client.session
        favorites = session.subscribe(COLLECTION_SET)
        self.wait_joined(client, favorites)
        movie = client.get_screen("home")[0].contents["rank"].items[0].subject
        for number, favorite in ((1, True), (2, False)):
            request = pb.CollectionRequest(number=number, subject=movie, member=favorite)
            answer = client.call(calls.COLLECTION, request)
            self.assertTrue(answer.changed)
            self.wait_for(client, 0, answer.cut.user_revision)
            items = session.views[favorites].contents["favorites"].items
            self.assertEqual([(item.id, item.kind) for item in items], [(movie, 9)] if favorite else [])

    def test_a_favorite_without_a_user_is_refused(self) -> None:
        client = self.connect(self.serve())
        with self.assertRaises(CallFailed) as failed:
            client.call(calls.COLLECTION, pb.CollectionRequest(number=1, subject="movie/1", member=True))
        self.assertEqual(failed.exception.status.reason, "USER_REQUIRED")

    def test_a_screen_that_does_not_exist_ends_its_subscription_alone(self) -> None:
        client = self.connect(self.serve())
        session = client.session
        home, wrong = session.subscribe("home"), session.subscribe("nowhere")
        client.wait(lambda: bool(session.subscription_errors) and session.views[home].joined, SECONDS)
        (error,) = session.subscription_errors
        self.assertEqual((error.subscription, error.status.reason), (wrong, "UNKNOWN_SCREEN"))
        self.assertEqual(list(session.views), [home])

    def test_the_smallest_credit_slows_but_does_not_stop(self) -> None:
        client = self.connect(self.serve(), Session(credit=1))
        home = client.session.subscribe("home")
        self.wait_joined(client, home)
        self.assert_fresh(client, home)

    def test_a_server_that_stops_says_so(self) -> None:
        server = self.serve()
        client = self.connect(server)
        self.wait_joined(client, client.session.subscribe("home"))
        server.terminate()
        with self.assertRaises(ConnectionEnded):
            client.wait(lambda: False, SECONDS)
        self.assertTrue(client.session.going_away)
        self.assertEqual(server.stop(), 0)


class Resuming(LiveCase):
    def joined(self, server: Server) -> tuple[Session, View]:
        client = self.connect(server)
        home = client.session.subscribe("home")
        self.wait_joined(client, home)
        client.close()
        return client.session, client.session.views[home]

    def test_what_did_not_change_is_not_sent_again(self) -> None:
        server = self.serve()
        before, held = self.joined(server)
        client = self.connect(server, Session(previous=before))
        home = client.session.subscribe("home", held=held)
        self.wait_joined(client, home)
        self.assertEqual(client.session.staged_frames, 0)
        self.assertEqual(client.session.views[home].contents, held.contents)
        self.assert_fresh(client, home)

    def test_what_changed_comes_as_a_patch(self) -> None:
        server = self.serve()
        before, held = self.joined(server)
        publisher = self.connect(server, Session(user=USER))
        changes = [{"show": {"list": CHART, "edition": day}} for day in chart_days()[:3]]
        revision = max(self.publish(publisher, change) for change in changes)
        client = self.connect(server, Session(previous=before))
        home = client.session.subscribe("home", held=held)
        self.wait_joined(client, home)
        self.assertGreaterEqual(client.session.position[0], revision)
        self.assertNotEqual(client.session.views[home].contents["chart"], held.contents["chart"])
        self.assert_fresh(client, home)
        self.assertEqual(client.session.refusals, [])


def alter_target(part: object) -> None:
    """Flips one bit of the sum that the patch leads to."""
    part.target_sum ^= 1 << 40


def alter_base(part: object) -> None:
    part.base_sum ^= 1


def alter_script(part: object) -> None:
    part.script = bytes([part.script[0] ^ 4]) + part.script[1:]


def alter_content(part: object) -> None:
    """Flips one bit in the last byte of an item, or of a change."""
    for rows, name in ((part.adds, "body"), (part.updates, "records")):
        for row in rows:
            value = getattr(row, name)
            setattr(row, name, value[:-1] + bytes([value[-1] ^ 1]))
            return
    raise AssertionError("nothing to alter")


class Altered(LiveCase):
    def through(self, server: Server, kind: int, damage: Damage, times: Optional[int] = 1) -> Relay:
        relay = Relay(server, kind, damage, times)
        self.addCleanup(relay.stop)
        return relay

    def test_an_altered_snapshot_is_refused_and_repaired(self) -> None:
        server = self.serve()
        for damage in (alter_target, alter_content, alter_script):
            with self.subTest(damage.__name__):
                relay = self.through(server, frames.STAGE, damage)
                client = self.connect(relay)
                home = client.session.subscribe("home")
                self.wait_joined(client, home)
                self.assertEqual(relay.damaged, 1)
                self.assertEqual(len(client.session.refusals), 1)
                self.assertIn("missingVersion", client.session.refusals[0])
                self.assert_fresh(client, home)

    def test_an_altered_patch_is_refused_and_repaired(self) -> None:
        server = self.serve()
        publisher = self.connect(server, Session(user=USER))
        days = iter(chart_days())
        for damage, why in (
            (alter_target, "otherTarget"),
            (alter_content, ""),
            (alter_script, ""),
            (alter_base, "otherBase"),
        ):
            with self.subTest(damage.__name__):
                relay = self.through(server, frames.DATA, damage)
                client = self.connect(relay)
                home = client.session.subscribe("home")
                self.wait_joined(client, home)
                self.assertEqual(relay.damaged, 0)
                before = client.session.views[home]
                revision = self.publish(publisher, {"show": {"list": CHART, "edition": next(days)}})
                client.wait(lambda: bool(client.session.refusals), SECONDS)
                self.assertIn(why, client.session.refusals[0])
                self.wait_for(client, revision)
                self.assertNotEqual(client.session.views[home].contents["chart"], before.contents["chart"])
                self.assertEqual((relay.damaged, len(client.session.refusals)), (1, 1))
                self.assert_fresh(client, home)

    def test_when_nothing_verifies_the_view_ends_and_the_connection_goes_on(self) -> None:
        server = self.serve()
        client = self.connect(self.through(server, frames.STAGE, alter_target, times=None))
        home = client.session.subscribe("home")
        client.wait(lambda: client.session.is_ending, SECONDS)
        (error,) = client.session.subscription_errors
        self.assertEqual((error.subscription, error.section, error.status.reason), (home, "", "SECTION_REFUSED"))
        self.assertEqual(len(client.session.refusals), 3)
        self.assertNotIn(home, client.session.views)
        self.assertEqual(client.call(calls.HEALTH).state, "serving")

    def test_a_restarted_server_asks_for_manifests_and_sends_what_changed(self) -> None:
        server = self.serve()
        publisher = self.connect(server)
        client = self.connect(server)
        home = client.session.subscribe("home")
        self.wait_joined(client, home)
        before = client.session
        self.publish(publisher, {"show": {"list": CHART, "edition": chart_days()[0]}})
        publisher.close()
        client.close()
        server.restart()
        again = self.connect(server, Session(previous=before))
        home = again.session.subscribe("home", held=before.views[home])
        self.wait_joined(again, home)
        self.assertEqual(again.session.refusals, [])
        self.assertGreaterEqual(again.session.manifests, 1)
        self.assert_fresh(again, home)


class Command(LiveCase):
    def run_client(self, to: object, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "marquee_client", "--server", f"{to.host}:{to.port}", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=2 * SECONDS)

    def test_it_prints_the_sums_of_a_screen(self) -> None:
        server = self.serve()
        done = self.run_client(server, "--screen", "home", "--cuts", "1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        fresh, _ = self.connect(server).get_screen("home")
        self.assertEqual(done.stdout.splitlines()[-1], f"screen home: sum {sums.text(fresh.sum)}")
        for section, content in fresh.sections.items():
            line = f"section {section}: {len(content.items)} items, sum {sums.text(content.sum)}"
            self.assertIn(line, done.stdout.splitlines())

    def test_it_fails_when_a_sum_was_altered(self) -> None:
        server = self.serve()
        relay = Relay(server, frames.STAGE, alter_target)
        self.addCleanup(relay.stop)
        done = self.run_client(relay, "--screen", "home", "--cuts", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("wrong: missingVersion", done.stderr)

    def test_it_fails_where_no_server_is(self) -> None:
        server = self.serve()
        server.stop()
        done = self.run_client(server)
        self.assertEqual(done.returncode, 1)
        self.assertIn("wrong: ConnectionRefusedError", done.stderr)
