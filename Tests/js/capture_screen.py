#!/usr/bin/env python3
"""Writes a screen as `<marquee-screen>` takes it, for its tests.

    marquee get home --bodies --output ndjson --server ... | Tests/js/capture_screen.py > Tests/js/screens/NAME.json

Sections have their layouts, decoded from the heads' bytes. Items that aren't cards get a card with the fields that
cards have too, so that the sample apps' layouts can be looked at with them.
"""

import base64
import json
import struct
import sys

# Messages of marquee.proto: (name, type) by number; `*` repeats. Types: u, b (bool), d, s, or a message.
SCHEMAS = {
    "Dimension": {1: ("unit", "u"), 2: ("value", "d")},
    "Insets": {1: ("top", "d"), 2: ("leading", "d"), 3: ("bottom", "d"), 4: ("trailing", "d")},
    "Spacing": {1: ("points", "d"), 2: ("flexible", "b")},
    "EdgeSpacing": {
        1: ("top", "Spacing"), 2: ("leading", "Spacing"), 3: ("bottom", "Spacing"), 4: ("trailing", "Spacing")},
    "Anchor": {1: ("edges", "u"), 2: ("x", "d"), 3: ("y", "d"), 4: ("fractional", "b")},
    "Supplementary": {
        1: ("kind", "s"), 2: ("width", "Dimension"), 3: ("height", "Dimension"), 4: ("anchor", "Anchor"),
        5: ("insets", "Insets"), 6: ("pinned", "b"), 7: ("zIndex", "d")},
    "LayoutNode": {
        1: ("type", "u"), 2: ("width", "Dimension"), 3: ("height", "Dimension"), 4: ("insets", "Insets"),
        5: ("spacing", "d"), 6: ("count", "u"), 7: ("children", "u*"), 8: ("badges", "Supplementary*"),
        9: ("flexibleSpacing", "b"), 10: ("edgeSpacing", "EdgeSpacing")},
    "Layout": {
        1: ("nodes", "LayoutNode*"), 2: ("insets", "Insets"), 3: ("spacing", "d"), 4: ("scrolling", "u"),
        5: ("supplementaries", "Supplementary*"), 6: ("decoration", "s"), 7: ("decorationInsets", "Insets"),
        8: ("decorationZIndex", "d"), 9: ("insetsReference", "u")},
    "Action": {1: ("id", "s"), 2: ("title", "s"), 3: ("target", "s")},
    "Supplement": {1: ("title", "s"), 2: ("actions", "Action*")},
    "NamedSupplement": {1: ("kind", "s"), 2: ("supplement", "Supplement")},
    "SortDescription": {1: ("id", "s"), 2: ("title", "s")},
    "SectionHead": {
        1: ("kind", "u"), 2: ("header", "Supplement"), 3: ("footer", "Supplement"), 4: ("layout", "Layout"),
        5: ("sorts", "SortDescription*"), 6: ("sort", "s"), 7: ("windows", "u*"), 8: ("window", "u"), 9: ("total", "u"),
        10: ("hasMore", "b"), 16: ("supplements", "NamedSupplement*")},
}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """The fields of a message: number, wire type and value."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        elif wire == 5:
            value, at = data[at:at + 4], at + 4
        else:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        yield key >> 3, wire, value


def packed(data):
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        yield value


def decode(schema, data):
    message = {}
    for number, wire, value in fields(data):
        if number not in SCHEMAS[schema]:
            continue
        name, kind = SCHEMAS[schema][number]
        one = kind.rstrip("*")
        if one == "s":
            value = value.decode()
        elif one == "b":
            value = bool(value)
        elif one in SCHEMAS:
            value = decode(one, value)
        if not kind.endswith("*"):
            message[name] = value
        elif one == "u" and wire == 2:
            message.setdefault(name, []).extend(packed(value))
        else:
            message.setdefault(name, []).append(value)
    return message


def card(item, kind):
    """The card of an item; of another kind, one with what the two have in common."""
    content = item.get("content", {})
    if item["kind"] == "card":
        return content
    made = {"title": content.get("title") or content.get("name") or content.get("text") or ""}
    wide = kind in ("main", "hero", "list", "detail")
    image = (content.get("backdrop") if wide else content.get("poster")) or content.get("image") \
        or content.get("poster") or content.get("portrait")
    if image:
        made["image"] = image
    if "voteAverage" in content:
        made["rating"] = {"value": content["voteAverage"], "count": content.get("voteCount")}
    if "rating" in content:
        made["rating"] = {"value": content["rating"], "scale": 5, "count": content.get("reviews")}
    if "price" in content:
        made["price"] = {"amount": content["price"], "currency": content.get("currency")}
    if content.get("tag"):
        made["badges"] = [{"text": content["tag"], "role": "highlight"}]
    if content.get("certification"):
        roles = {"everyone": "good", "teen": "warning", "adult": "bad", "unrated": "neutral"}
        certification = content["certification"]
        made["badges"] = [{"text": certification["code"], "role": roles.get(certification["colorClass"], "neutral")}]
    # As in the pictures, the first of a banner's lines takes the place of a missing title.
    if not made["title"]:
        made["title"] = content.get("caption") or content.get("description") or ""
    words = content.get("character") or content.get("job") or content.get("author") or content.get("distance") \
        or (content.get("caption") if content.get("title") else None) or (content.get("releaseDate") or "")[:4]
    if words:
        made["subtitle"] = words
    for key in ("overview", "description"):
        if content.get(key):
            made["text"] = content[key]
    if content.get("actions"):
        made["actions"] = content["actions"]
    if "titles" in content:
        made["title"] = " · ".join(content["titles"])
    return made


def section(given):
    head = decode("SectionHead", base64.b64decode(given["head"]))
    kind = given["kind"]
    named = {one["kind"]: one["supplement"] for one in head.get("supplements", [])}
    made = {"id": given["id"], "kind": kind, **{
        key: head[key] for key in ("header", "footer", "layout", "sorts", "sort", "windows", "window", "hasMore")
        if key in head}}
    if named:
        made["supplements"] = named
    if kind in ("main", "hero") and head.get("header"):
        made["header"] = head["header"]
    if given.get("placeholders"):
        made["placeholders"] = given["placeholders"]
    made["items"] = [
        {"id": item["id"], "subject": item.get("subject", ""), "favorite": item.get("favorite", "no"),
         "card": card(item, kind)}
        for item in given.get("items", []) if item["kind"] != "other"]
    return made


line = json.loads(sys.stdin.readline())
screen = {
    "id": line["screen"], "locale": line["locale"], "title": line.get("title", ""),
    "sections": [section(one) for one in line["sections"]],
}
json.dump(screen, sys.stdout, ensure_ascii=False, separators=(",", ":"))
print()
