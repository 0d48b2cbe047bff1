"""`python -m marquee_client --server 127.0.0.1:7420 --screen home --cuts 5`"""

from __future__ import annotations

import argparse
import sys

from .client import Client
from .errors import MarqueeError
from .follower import Follower
from .session import Session
from .sums import text
from .views import OWN, View

COLLECTION_SET = "user-collections"


def main() -> int:
    """Follows a screen. 0: all was well; 1: it was not, and standard error says what; 2: wrong arguments."""
    parser = argparse.ArgumentParser(prog="marquee_client", description="Follow a screen and verify every sum.")
    parser.add_argument("--server", default="127.0.0.1:7420", metavar="HOST:PORT")
    parser.add_argument("--screen", default="home")
    parser.add_argument("--user", default="", help="also follow the collections of this user")
    parser.add_argument("--cuts", type=int, default=1, metavar="N", help="end after so many cuts")
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="how long to wait for them")
    parser.add_argument("--follow", action="store_true", help="go on for ever, and connect again after a break")
    arguments = parser.parse_args()
    host, _, port = arguments.server.rpartition(":")
    if not port.isdigit():
        parser.error("--server: HOST:PORT is expected")
    if arguments.follow:
        try:
            Follower(host.strip("[]"), int(port), arguments.screen, arguments.user).run()
        except MarqueeError as error:
            print(f"wrong: {type(error).__name__}: {error}", file=sys.stderr)
            return 1
    session = Session(user=arguments.user)
    try:
        with Client(host.strip("[]"), int(port), session) as client:
            follow(client, arguments.screen, arguments.cuts, arguments.seconds)
    except (MarqueeError, OSError) as error:
        session.refusals.append(f"{type(error).__name__}: {error}")
    for refusal in session.refusals:
        print(f"wrong: {refusal}", file=sys.stderr)
    return 1 if session.refusals else 0


def follow(client: Client, screen: str, cuts: int, seconds: float) -> None:
    """Prints each cut, and the sums at the end."""
    session = client.session
    if session.welcome.user:
        session.subscribe(COLLECTION_SET)
    subscription = session.subscribe(screen)
    printed = 0
    while printed < cuts:
        client.wait(lambda: len(session.cuts) > printed or session.is_ending, seconds)
        if session.subscription_errors:
            raise MarqueeError(f"subscription: {session.subscription_errors[0].status}")
        if len(session.cuts) == printed:
            raise MarqueeError("the server is going away")
        for cut in session.cuts[printed:cuts]:
            printed += 1
            changed = [f"{one}/{section or 'list'} {text(value)}" for (one, section), value in cut.sums.items()]
            print(f"cut {printed}: {at(cut.position)}: {', '.join(changed) or 'nothing changed'}", flush=True)
    print(f"now: {at(session.position)}")
    show(session.views[subscription])


def at(position: tuple[int, int]) -> str:
    return f"catalogue {position[0]}, user {position[1]}"


def show(view: View) -> None:
    for section, content in view.sections.items():
        print(f"section {section}: {len(content.items)} items, sum {text(content.sum)}")
    print(f"list: {len(view.own.items)} sections, sum {text(view.contents[OWN].sum)}")
    print(f"screen {view.screen}: sum {text(view.sum)}")


if __name__ == "__main__":
    sys.exit(main())
