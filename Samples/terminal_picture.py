#!/usr/bin/env python3
"""Runs a program in a pseudo-terminal and draws what it shows, as an SVG.

The picture is a recording: every cell is what the program wrote. Nothing beyond Python's standard library is needed.
"""
import argparse
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import unicodedata
from xml.sax.saxutils import escape

CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, MARGIN = 9, 18, 15, 10
FOREGROUND, BACKGROUND = (0xDD, 0xDD, 0xDD), (0x16, 0x16, 0x1A)
BASIC = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
]
MAXIMUM_BYTES = 150_000


def indexed(number):
    """One of xterm's 256 colours."""
    if number < 16:
        return BASIC[number]
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return (steps[number // 36], steps[number // 6 % 6], steps[number % 6])


class Style:
    """How a cell is drawn."""

    def __init__(self):
        self.ink = self.paper = None
        self.bold = self.dim = self.underline = self.reverse = False

    def copy(self):
        style = Style()
        style.__dict__.update(self.__dict__)
        return style

    def colors(self):
        ink, paper = self.ink or FOREGROUND, self.paper or BACKGROUND
        if self.reverse:
            ink, paper = paper, ink
        if self.dim:
            ink = tuple((a * 6 + b * 4) // 10 for a, b in zip(ink, paper))
        return ink, paper

    def apply(self, numbers):
        """Applies the parameters of an SGR sequence."""
        numbers = list(numbers) or [0]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                self.__init__()
            elif number == 1:
                self.bold = True
            elif number == 2:
                self.dim = True
            elif number == 4:
                self.underline = True
            elif number == 7:
                self.reverse = True
            elif 30 <= number <= 37 or 90 <= number <= 97:
                self.ink = BASIC[number % 10 + (8 if number >= 90 else 0)]
            elif 40 <= number <= 47 or 100 <= number <= 107:
                self.paper = BASIC[number % 10 + (8 if number >= 100 else 0)]
            elif number == 39:
                self.ink = None
            elif number == 49:
                self.paper = None
            elif number in (38, 48):
                kind = numbers.pop(0)
                color = tuple(numbers.pop(0) for _ in range(3)) if kind == 2 else indexed(numbers.pop(0))
                if number == 38:
                    self.ink = color
                else:
                    self.paper = color


class Screen:
    """As much of a terminal as a full-screen program needs: places, colours, clearing."""

    SEQUENCE = re.compile(r"\x1b(?:\[([?>=]?)([0-9;]*)([@-~])|[()][0-9A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[=>78cDEHM])")

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.row = self.column = 0
        self.style = Style()
        self.pending = ""
        self.clear()

    def clear(self):
        self.cells = [[(" ", Style()) for _ in range(self.columns)] for _ in range(self.rows)]

    def write(self, text):
        text = self.pending + text
        self.pending = ""
        index = 0
        while index < len(text):
            character = text[index]
            if character == "\x1b":
                match = self.SEQUENCE.match(text, index)
                if not match:
                    if len(text) - index < 64:
                        self.pending = text[index:]
                        return
                    index += 1
                    continue
                index = match.end()
                if match.group(3) and not match.group(1):
                    numbers = [int(part) if part else 0 for part in match.group(2).split(";")] if match.group(2) else []
                    self.control(match.group(3), numbers)
                continue
            index += 1
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.row = min(self.row + 1, self.rows - 1)
            elif character == "\b":
                self.column = max(0, self.column - 1)
            elif character >= " ":
                self.put(character)

    def control(self, final, numbers):
        first = (numbers + [0])[0]
        if final in "Hf":
            self.row = min(max(first - 1, 0), self.rows - 1)
            self.column = min(max((numbers + [0, 0])[1] - 1, 0), self.columns - 1)
        elif final == "m":
            self.style.apply(numbers)
        elif final == "J":
            self.clear()
        elif final == "K":
            for column in range(self.column, self.columns):
                self.cells[self.row][column] = (" ", self.style.copy())
        elif final == "d":
            self.row = min(max(first - 1, 0), self.rows - 1)
        elif final == "G":
            self.column = min(max(first - 1, 0), self.columns - 1)

    def put(self, character):
        if unicodedata.combining(character):
            return
        width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if self.column + width > self.columns:
            return
        self.cells[self.row][self.column] = (character, self.style.copy())
        if width == 2:
            self.cells[self.row][self.column + 1] = ("", self.style.copy())
        self.column += width

    def text(self):
        return "\n".join("".join(character for character, _ in row).rstrip() for row in self.cells)


def svg(screen):
    """The screen as a drawing. Half blocks are squares of colour; all other characters are text."""
    squares = {}

    def fill(color, x, y, width, height):
        if color != BACKGROUND:
            squares.setdefault(color, []).append((x, y, width, height))

    texts = []
    for row, cells in enumerate(screen.cells):
        y = MARGIN + row * CELL_HEIGHT
        half = CELL_HEIGHT // 2
        for part in (0, 1):
            run = None
            for column, (character, style) in enumerate(cells + [(None, None)]):
                color = None
                if character is not None:
                    ink, paper = style.colors()
                    color = ink if character == "▀" and part == 0 else paper
                if run and run[0] == color:
                    continue
                if run:
                    x = MARGIN + run[1] * CELL_WIDTH
                    fill(run[0], x, y + part * half, (column - run[1]) * CELL_WIDTH, half)
                run = (color, column)
        column = 0
        while column < len(cells):
            character, style = cells[column]
            if character in ("▀", " ", ""):
                column += 1
                continue
            start, word = column, ""
            while column < len(cells):
                following, other = cells[column]
                if following == "▀" or vars(other) != vars(style) or (following == " " and cells[column + 1:column + 2]
                                                                   and cells[column + 1][0] in (" ", "▀")):
                    break
                word += following
                column += 1
            texts.append((start, y, word.rstrip(), style))
    width = 2 * MARGIN + screen.columns * CELL_WIDTH
    height = 2 * MARGIN + screen.rows * CELL_HEIGHT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' font-family="DejaVu Sans Mono, Menlo, Consolas, Noto Sans Mono CJK KR, monospace" font-size="{FONT_SIZE}">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{name(BACKGROUND)}"/>',
        '<g shape-rendering="crispEdges">',
    ]
    for color, rects in squares.items():
        path = "".join(f"M{x} {y}h{w}v{h}h-{w}z" for x, y, w, h in rects)
        lines.append(f'<path fill="{name(color)}" d="{path}"/>')
    lines.append("</g>")
    for column, y, word, style in texts:
        ink, _ = style.colors()
        cells = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in word)
        extra = (' font-weight="bold"' if style.bold else "") + (' text-decoration="underline"' if style.underline else "")
        lines.append(
            f'<text x="{MARGIN + column * CELL_WIDTH}" y="{y + 14}" fill="{name(ink)}"{extra} xml:space="preserve"'
            f' textLength="{cells * CELL_WIDTH}" lengthAdjust="spacingAndGlyphs">{escape(word)}</text>')
    return "\n".join(lines + ["</svg>", ""])


def name(color):
    return "#%02x%02x%02x" % color


def record(command, columns, rows, until, seconds):
    """Runs the command until its screen shows all the texts, then ends it.

    Returns the screen as it was then.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8")
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.kill(child, signal.SIGWINCH)
    screen, decoder = Screen(columns, rows), codecs.getincrementaldecoder("utf-8")("replace")
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline:
            if not select.select([terminal], [], [], 0.25)[0]:
                # Nothing came for a while: the screen is whole.
                if all(text in screen.text() for text in until):
                    return screen
                continue
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            screen.write(decoder.decode(data))
    finally:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
    sys.exit(f"{command[0]} did not show {until} within {seconds} seconds; it showed:\n{screen.text()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="80x24", help="columns x rows")
    parser.add_argument("--until", action="append", default=[], help="a text that the screen has to show; repeatable")
    parser.add_argument("--seconds", type=float, default=60, help="how long to wait for it")
    parser.add_argument("--out", required=True, help="the SVG to write")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    columns, rows = (int(part) for part in options.size.split("x"))
    screen = record(options.command, columns, rows, options.until, options.seconds)
    picture = svg(screen)
    if len(picture.encode()) > MAXIMUM_BYTES:
        sys.exit(f"{options.out} would have more than {MAXIMUM_BYTES} bytes; record a smaller terminal")
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(picture)
    print(f"{options.out}: {len(picture.encode())} bytes")


if __name__ == "__main__":
    main()
