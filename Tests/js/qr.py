"""Reads QR codes of bytes with error correction M, versions 1 to 10, by ISO/IEC 18004: to test those that the window draws.
It reads undamaged codes only, and says what is wrong with others."""

# The 15 bits of the format with error correction M, by masks (annex C).
FORMATS = ["101010000010010", "101000100100101", "101111001111100", "101101101001011",
           "100010111111001", "100000011001110", "100111110010111", "100101010100000"]
# The 18 bits of versions 7 to 10 (annex D).
VERSIONS = {7: "000111110010010100", 8: "001000010110111100", 9: "001001101010011001", 10: "001010010011010011"}
# Error-correcting bytes of a block, and the data bytes of each block (table 9).
BLOCKS = {1: (10, [16]), 2: (16, [28]), 3: (26, [44]), 4: (18, [32] * 2), 5: (24, [43] * 2), 6: (16, [27] * 4),
          7: (18, [31] * 4), 8: (22, [38] * 2 + [39] * 2), 9: (22, [36] * 3 + [37] * 2), 10: (26, [43] * 4 + [44])}
ALIGNMENT = {1: [], 2: [6, 18], 3: [6, 22], 4: [6, 26], 5: [6, 30], 6: [6, 34], 7: [6, 22, 38], 8: [6, 24, 42],
             9: [6, 26, 46], 10: [6, 28, 50]}
MASKS = [lambda i, j: (i + j) % 2, lambda i, j: i % 2, lambda i, j: j % 3, lambda i, j: (i + j) % 3,
         lambda i, j: (i // 2 + j // 3) % 2, lambda i, j: i * j % 2 + i * j % 3,
         lambda i, j: (i * j % 2 + i * j % 3) % 2, lambda i, j: ((i + j) % 2 + i * j % 3) % 2]
FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]


def times(a, b):
    """The product in the field of 256 elements, bit by bit."""
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = a << 1 ^ (0x11D if a & 128 else 0), b >> 1
    return product


def syndromes(block, count):
    """The block's polynomial at 2^0, 2^1 and so on; all are 0 if nothing is wrong with it."""
    root, values = 1, []
    for _ in range(count):
        value = 0
        for byte in block:
            value = times(value, root) ^ byte
        values.append(value)
        root = times(root, 2)
    return values


def reserved(size, version):
    """The modules that aren't data."""
    places = {(i, j) for i in range(size) for j in range(size)
              if (i < 9 and (j < 9 or j >= size - 8)) or (i >= size - 8 and j < 9) or i == 6 or j == 6}
    for i in ALIGNMENT[version]:
        for j in ALIGNMENT[version]:
            if (i, j) not in ((6, 6), (6, size - 7), (size - 7, 6)):
                places |= {(i + y, j + x) for y in range(-2, 3) for x in range(-2, 3)}
    if version >= 7:
        places |= {place for a in range(6) for b in range(size - 11, size - 8) for place in ((a, b), (b, a))}
    return places


def read(rows):
    """The text of a code.

    - Parameter rows: texts of 0 and 1, from the top, without the quiet zone.
    """
    size = len(rows)
    version = (size - 17) // 4
    assert size == 17 + 4 * version and all(len(row) == size for row in rows), "the size is none of a code"
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        assert [row[left:left + 7] for row in rows[top:top + 7]] == FINDER, "a corner isn't there"
    assert all(rows[6][k] == rows[k][6] == str((k + 1) % 2) for k in range(8, size - 8)), "the timing isn't there"
    near = [rows[8][j] for j in (0, 1, 2, 3, 4, 5, 7, 8)] + [rows[i][8] for i in (7, 5, 4, 3, 2, 1, 0)]
    far = [rows[i][8] for i in range(size - 1, size - 8, -1)] + list(rows[8][size - 8:])
    assert near == far and rows[size - 8][8] == "1", "the two formats differ"
    mask = MASKS[FORMATS.index("".join(near))]
    if version >= 7:
        first = "".join(rows[k // 3][size - 11 + k % 3] for k in range(17, -1, -1))
        second = "".join(rows[size - 11 + k % 3][k // 3] for k in range(17, -1, -1))
        assert first == second == VERSIONS[version], "the version isn't right"
    taken, bits, column, up = reserved(size, version), "", size - 1, True
    while column > 0:
        column -= column == 6
        for step in range(size):
            i = size - 1 - step if up else step
            for j in (column, column - 1):
                if (i, j) not in taken:
                    bits += str(int(rows[i][j]) ^ (mask(i, j) == 0))
        column, up = column - 2, not up
    stream = [int(bits[k:k + 8], 2) for k in range(0, len(bits) - 7, 8)]
    count, sizes = BLOCKS[version]
    blocks = [[] for _ in sizes]
    for k in range(max(sizes)):
        for block, length in zip(blocks, sizes):
            if k < length:
                block.append(stream.pop(0))
    data = bytes(byte for block in blocks for byte in block)
    for _ in range(count):
        for block in blocks:
            block.append(stream.pop(0))
    assert not stream and not any(any(syndromes(block, count)) for block in blocks), "the correction isn't right"
    text = "".join(f"{byte:08b}" for byte in data)
    wide = 16 if version > 9 else 8
    assert text[:4] == "0100", "the mode isn't bytes"
    length = int(text[4:4 + wide], 2)
    begin = 4 + wide
    return bytes(int(text[k:k + 8], 2) for k in range(begin, begin + 8 * length, 8)).decode()
