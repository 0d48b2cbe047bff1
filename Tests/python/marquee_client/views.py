"""The content that a client holds of a screen, and how one cut changes all of it or nothing (10, 11)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Iterable, Mapping, Optional, Sequence

from .errors import Refused
from .patches import apply, patch_of
from .sums import EMPTY, Content, screen_sum, text

OWN = ""  # the view's own list, among sections whose ids are never empty


@dataclass(frozen=True)
class View:
    """A screen as one subscription shows it. Contents and handles are by section id."""

    subscription: int
    screen: str
    locale: str = ""
    generation: int = 0
    handles: Mapping[str, int] = field(default_factory=dict)
    contents: Mapping[str, Content] = field(default_factory=dict)

    @property
    def joined(self) -> bool:
        return bool(self.handles)

    @property
    def own(self) -> Content:
        return self.contents.get(OWN, EMPTY)

    @property
    def sections(self) -> dict[str, Content]:
        """In the order of the view's own list."""
        return {item.id: self.contents[item.id] for item in self.own.items if item.id in self.contents}

    @property
    def sum(self) -> int:
        """The screen sum."""
        return screen_sum(self.own, self.sections)


@dataclass(frozen=True)
class Described:
    """The content of a section that was described to the server, with its handle."""

    handle: int
    content: Content


class Staging:
    """Versions that were sent ahead of their cut, by handle (10). Beside each thing are its bytes on the wire."""

    def __init__(self) -> None:
        self.described: dict[tuple[int, str], Described] = {}  # by subscription and section
        self._unfinished: Optional[tuple[list[object], int]] = None
        self._complete: dict[int, tuple[Content, int]] = {}  # the one completed longest ago first

    @property
    def size(self) -> int:
        """Bytes of all staged parts that no join has named yet."""
        unfinished = self._unfinished[1] if self._unfinished else 0
        return unfinished + sum(size for _, size in self._complete.values())

    @property
    def sums(self) -> dict[int, int]:
        """Of the complete versions, by handle."""
        return {handle: content.sum for handle, (content, _) in self._complete.items()}

    def add(self, part: object, size: int, first: bool) -> None:
        """Takes one part, and keeps the version when it was the last one."""
        begun, self._unfinished = self._unfinished, None
        if first:
            begun = [], 0
        if begun is None:
            return  # The rest of what was given up here.
        parts, size = begun[0] + [part], begun[1] + size
        if part.more:
            self._unfinished = parts, size
            return
        self._complete.pop(part.handle, None)
        try:
            patch = patch_of(parts)
            self._complete[part.handle] = apply(self._base(part.handle, patch.base_sum), patch), size
        except Refused:
            pass  # The join will miss it, and that is answered by a nack.

    def _base(self, handle: int, base_sum: Optional[int]) -> Content:
        """The base of a staged patch: the empty version, or the one that was described for that handle."""
        for one in self.described.values():
            if one.handle == handle and one.content.sum == base_sum:
                return one.content
        return EMPTY

    def find(self, handle: int, sum_: int) -> Optional[Content]:
        content, _ = self._complete.get(handle, (None, 0))
        return content if content is not None and content.sum == sum_ else None

    def forget(self, handles: Iterable[int]) -> None:
        """Drops the complete versions of these handles: a join has named them."""
        for handle in handles:
            self._complete.pop(handle, None)

    def forget_described(self, subscription: int) -> None:
        self.described = {place: one for place, one in self.described.items() if place[0] != subscription}

    def bound(self, limit: int) -> None:
        """Drops the versions completed longest ago until the rest is within the limit."""
        while self._complete and self.size > limit:
            del self._complete[next(iter(self._complete))]

    def refuse(self, handle: int) -> None:
        """Drops the version that isn't complete, and the refused one."""
        self._unfinished = None
        self._complete.pop(handle, None)


def bindings_of(join: object) -> list[tuple[str, int, Optional[int]]]:
    """Section, handle and sum of all that a join binds, the view's own list first."""
    sections = [(one.section, one.handle, one.sum if one.HasField("sum") else None) for one in join.sections]
    return [(OWN, join.view_handle, join.view_sum), *sections]


class CutStep:
    """One cut, applied to copies of the views: the caller takes `views` over, or drops this."""

    def __init__(self, views: Mapping[int, View], offered: Mapping[int, Mapping[str, Content]], staging: Staging):
        self.views = dict(views)
        self.changed: dict[int, set[str]] = {}  # sections by subscription
        self._offered = offered
        self._staging = staging

    def apply(self, joins: Sequence[object], parts: Sequence[object]) -> None:
        """Steps 2 to 4 of chapter 11. Raises Refused with the handle."""
        for join in joins:
            self._join(join)
        patched: set[int] = set()
        for handle, patch in groupby(parts, key=lambda part: part.handle):
            self._patch(handle, list(patch), again=handle in patched)
            patched.add(handle)
        for subscription in self.changed:
            view = self.views[subscription]
            if {item.id for item in view.own.items} != view.handles.keys() - {OWN}:
                raise Refused("otherSections", f"those of {view.screen} are not those bound", view.handles[OWN])

    def _join(self, join: object) -> None:
        bindings = bindings_of(join)
        view = self.views.get(join.subscription)
        if view is None:
            return  # It was unsubscribed meanwhile.
        self.views[view.subscription] = replace(
            view,
            locale=join.locale,
            generation=join.generation,
            handles={section: handle for section, handle, _ in bindings},
            contents={section: self._version(view, section, handle, sum_) for section, handle, sum_ in bindings},
        )
        self.changed[view.subscription] = {section for section, _, _ in bindings}

    def _version(self, view: View, section: str, handle: int, sum_: Optional[int]) -> Content:
        offered = self._offered.get(view.subscription, {})
        if sum_ is None:  # The section stays as it is.
            return view.contents.get(section) or offered.get(section) or EMPTY
        for content in (view.contents.get(section), offered.get(section), self._staging.find(handle, sum_), EMPTY):
            if content is not None and content.sum == sum_:
                return content
        where = f"handle {handle}, '{section}' of {view.screen}"
        raise Refused("missingVersion", f"{where}: {text(sum_)} is not held", handle)

    def _patch(self, handle: int, parts: list[object], again: bool) -> None:
        bound = [(view, one) for view in self.views.values() for one in view.handles if view.handles[one] == handle]
        for view, section in bound:  # One, or none where it was unsubscribed meanwhile.
            try:
                if again:
                    raise Refused("mixedParts", "two patches for one handle")
                content = apply(view.contents[section], patch_of(parts))
            except Refused as refused:
                where = f"handle {handle}, '{section}' of {view.screen}: {refused.text}"
                raise Refused(refused.why, where, handle) from refused
            self.views[view.subscription] = replace(view, contents={**view.contents, section: content})
            self.changed.setdefault(view.subscription, set()).add(section)
