import Testing

@testable import marquee

struct KeyDecoderTests {
    /// The bursts that arrive when these come with pauses between them.
    private func bursts(_ parts: String..., known: [[UInt8]: Key] = [:]) -> [InputBurst] {
        var decoder = KeyDecoder(known: known)
        return parts.compactMap { part in
            decoder.read(part.utf8)
            return decoder.pause()
        }
    }

    @Test(arguments: [
        ("q", Key.character("q")), ("가", .character("가")), ("e\u{301}", .character("e\u{301}")), ("\r", .enter),
        ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\u{3}", .control("c")),
        ("\u{1A}", .control("z")), ("\u{1C}", .control("\\")), ("\u{1B}", .escape), ("\u{1B}\u{1B}", .escape),
        ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[5~", .pageUp), ("\u{1B}[Z", .backTab), ("\u{1B}OM", .enter),
        ("\u{1B}[3~", .backspace), ("\u{1B}[4~", .end), ("\u{1B}[P", .down),
    ])
    func `a key is what its bytes mean on this terminal`(_ bytes: String, _ key: Key) {
        #expect(bursts(bytes, known: [Array("\u{1B}[P".utf8): .down]) == [.keys([key])])
    }

    @Test(arguments: [
        // Other function keys, with and without Ctrl, and the Linux console's F1.
        "\u{1B}[15~", "\u{1B}[1;5A", "\u{1B}OP", "\u{1B}[[A", "\u{1B}[200;5u",
        // Alt-q, Alt-가, Alt-O q.
        "\u{1B}q", "\u{1B}가", "\u{1B}Oq",
        // The mouse, the focus, and answers to questions that nobody here asked.
        "\u{1B}[Mqqq", "\u{1B}[<0;10;20M", "\u{1B}[I", "\u{1B}[?1;2c", "\u{1B}]11;rgb:0/0/0\u{1B}\\",
        "\u{1B}]11;quit\u{7}", "\u{1B}P1$rq\u{1B}\\", "\u{1B}(q", "\u{0}", "\u{9B}", "\u{1B}[201~",
    ])
    func `a sequence that is no key of ours presses none, not even with its letters`(_ bytes: String) {
        #expect(bursts(bytes).isEmpty)
        #expect(bursts(bytes, "q") == [.keys([.character("q")])])
    }

    @Test func `a paste is one text, whatever it contains and however it is split`() {
        let text = "q\r\trm -rf x\n\u{3}\u{1A}\u{1B}[A\u{1B}[20기"
        let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)
        #expect(bursts(String(decoding: bytes, as: UTF8.self)) == [.text(text)])
        // The first bytes tell that it is a paste; from there on it may come in any parts, with pauses.
        for cut in 6..<bytes.count {
            var decoder = KeyDecoder()
            decoder.read(bytes[..<cut])
            #expect(decoder.pause() == nil && decoder.isPasting)
            decoder.read(bytes[cut...])
            #expect(decoder.pause() == .text(text))
            #expect(!decoder.isPasting)
        }
    }

    @Test func `within a paste nothing is a key until its end comes, however long that takes`() {
        var decoder = KeyDecoder()
        decoder.read("\u{1B}[200~abc\u{1B}[20".utf8)
        for part in ["q", "touch x\r", "\u{1B}[A"] {
            // No end of it is waited for, so none is given up.
            #expect(decoder.pause() == nil && decoder.giveUp() == nil && !decoder.isIncomplete && decoder.isPasting)
            decoder.read(part.utf8)
        }
        decoder.read(String(repeating: "x", count: 2 * KeyDecoder.maximumPaste).utf8)
        #expect(decoder.pause() == nil)
        decoder.read("\u{1B}[201~".utf8)
        guard case .text(let text)? = decoder.pause() else {
            Issue.record("it is no text")
            return
        }
        #expect(text.utf8.count == KeyDecoder.maximumPaste && text.hasPrefix("abc\u{1B}[20qtouch x\r\u{1B}[Ax"))
        decoder.read("q".utf8)
        #expect(decoder.pause() == .keys([.character("q")]))
    }

    @Test func `a sequence that lost its end takes no key with it`() {
        var decoder = KeyDecoder()
        decoder.read("\u{1B}[1".utf8)
        #expect(decoder.pause() == nil && decoder.isIncomplete)
        #expect(decoder.giveUp() == nil)
        decoder.read("q".utf8)
        #expect(decoder.pause() == .keys([.character("q")]))
    }

    @Test func `nothing that arrives together with a paste is a key`() {
        #expect(bursts("j\u{1B}[200~a\u{1B}[201~q\r") == [.text("a")])
        #expect(bursts("\u{1B}[200~a\u{1B}[201~\u{1B}[200~b\u{1B}[201~") == [.text("ab")])
    }

    @Test func `different characters at once are pasted, and the same key held down is not`() {
        #expect(bursts("rm -rf x\n") == [.text("rm -rf x\n")])
        #expect(bursts("\u{3}\u{1B}qa") == [.keys([.control("c"), .character("a")])])
        #expect(bursts("q\u{3}x\t\u{1B}[A\ny") == [.text("qx\t\ny")])
        #expect(bursts("jjj") == [.keys(Array(repeating: .character("j"), count: 3))])
        #expect(bursts("\u{1B}[B\u{1B}[B\r") == [.keys([.down, .down, .enter])])
        #expect(bursts("j", "k") == [.keys([.character("j")]), .keys([.character("k")])])
    }

    @Test func `a character may arrive in parts, and bytes that aren't UTF-8 are dropped`() {
        var decoder = KeyDecoder()
        for byte in Array("가".utf8).dropLast() {
            decoder.read([byte])
            #expect(decoder.pause() == nil)
        }
        decoder.read([0x80])
        #expect(decoder.pause() == .keys([.character("가")]))
        decoder.read([0xFF, 0x80, 0xC0, 0xAF, 0xED, 0xA0, 0x80, 0xE9, UInt8(ascii: "a")])
        #expect(decoder.pause() == .keys([.character("a")]))
    }

    @Test func `a flood is bounded`() {
        var decoder = KeyDecoder()
        decoder.read(repeatElement(UInt8(ascii: "j"), count: 100_000))
        #expect(decoder.pause() == .keys(Array(repeating: .character("j"), count: KeyDecoder.maximumKeys)))
        decoder.read("\u{1B}[200~".utf8)
        decoder.read(repeatElement(UInt8(ascii: "j"), count: 100_000))
        decoder.read("\u{1B}[201~".utf8)
        #expect(decoder.pause() == .text(String(repeating: "j", count: KeyDecoder.maximumPaste)))
        decoder.read("e".utf8)
        decoder.read((0..<10_000).flatMap { _ in Array("\u{301}".utf8) })
        guard case .text(let text)? = decoder.pause() else {
            Issue.record("no text")
            return
        }
        #expect(text.unicodeScalars.count <= KeyDecoder.maximumKeys * Sanitizer.maximumScalarsPerCharacter)
    }
}

struct TerminalDescriptionTests {
    @Test(arguments: [
        ("\u{1B}[m\u{F}$<2>", "\u{1B}[m\u{F}"), ("$<5/>a$<1.5*>b", "ab"), ("$", "$"), ("$<", "$<"), ("a$b", "a$b"),
    ])
    func `pauses for slow lines are left out of sequences`(_ text: String, _ plain: String) {
        #expect(TerminalDescription.withoutPadding(Array(text.utf8)) == Array(plain.utf8))
    }

    @Test func `a terminal without screens is told why`() {
        #expect(TerminalDescription.obstacle(environment: [:]) == "TERM isn't set")
        #expect(TerminalDescription.obstacle(environment: ["TERM": ""]) == "TERM isn't set")
        #expect(TerminalDescription.obstacle(environment: ["TERM": "dumb"])?.contains("'dumb'") == true)
    }
}
