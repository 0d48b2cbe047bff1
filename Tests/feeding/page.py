"""The code blocks of Docs/feeding.md that are run.

A block's info string is `LANGUAGE feed NAME [KEY=VALUE...]`: MOVIE=VOTES is what the screens show afterwards,
`commits` how many commits it makes, `imports` the packages that a Go file needs. Blocks with the same name are one
program. One with `answer=NAME` is what that program prints.
"""

import dataclasses
import re

FENCE = re.compile(r"^```(.+)\n((?:(?!```).*\n)*)```$", re.MULTILINE)


@dataclasses.dataclass
class Example:
    """A program of the page, or a file that one needs."""

    text: str = ""
    votes: dict = dataclasses.field(default_factory=dict)
    commits: int = 0
    imports: list = dataclasses.field(default_factory=list)
    answer: str | None = None

    def add(self, text, options):
        self.text += text
        for option in options:
            key, _, value = option.partition("=")
            if key == "commits":
                self.commits = int(value)
            elif key == "imports":
                self.imports = value.split(",")
            elif key.isdigit():
                self.votes[key] = int(value)
            else:
                raise ValueError(f"the page's option {option} isn't known")


def examples(page):
    """The page's examples by name."""
    found = {}
    for info, text in FENCE.findall(page):
        words = info.split()
        if words[1:2] == ["feed"]:
            found.setdefault(words[2], Example()).add(text, words[3:])
        elif words[1:] and words[1].startswith("answer="):
            found[words[1].removeprefix("answer=")].answer = text
    return found
