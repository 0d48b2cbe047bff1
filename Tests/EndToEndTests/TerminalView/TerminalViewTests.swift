import Foundation
import ProcessSupport
import Testing

/// `marquee subscribe SCREEN` in a terminal, as a person sees and types it.
@Suite("The terminal view, in a pseudo-terminal", .timeLimit(.minutes(10)))
struct TerminalViewTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-view-\(UUID().uuidString)")

    private func server() async throws -> ServerProcess {
        let server = try ServerProcess(in: folder)
        try await server.start()
        return server
    }

    private func subscribe(
        _ server: ServerProcess, _ arguments: [String] = [], mirror: String = "m",
        environment: [String: String] = ["TERM": "xterm-256color"]
    ) throws -> PseudoTerminal {
        try PseudoTerminal(
            "marquee",
            [
                "subscribe", "home", "--server", server.address, "--user", "ann",
                "--mirror", folder.appending(path: "\(mirror).sqlite").path,
            ] + arguments, in: folder, environment: environment, columns: 100, rows: 40)
    }

    /// The status line says that the screen comes from the server.
    private static func isLive(_ screen: EmulatedScreen) -> Bool {
        [" ● live · revision ", " ● 실시간 · 리비전 "].contains { screen.lines.last?.hasPrefix($0) == true }
    }

    private func publish(_ change: String, to server: ServerProcess) async throws {
        let file = folder.appending(path: "\(UUID().uuidString).ndjson")
        try change.write(to: file, atomically: true, encoding: .utf8)
        let publisher = try RunningProcess("marquee", ["publish", file.path, "--server", server.address], in: folder)
        let status = try await publisher.ended()
        #expect(status == 0, "\(publisher.errors)")
    }

    @Test func `a screen is drawn with its sections and cards, and what changes on the server appears`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await server()
        let terminal = try subscribe(server)
        try await terminal.shows("the live screen", Self.isLive)
        let screen = terminal.screen
        #expect(screen.isAlternate && !screen.isCursorVisible && screen.hasColors)
        #expect(screen.lines[0].hasPrefix(" Home "))
        #expect(screen.lines[0].hasSuffix("ann @ \(server.address)"))
        #expect(screen.contains("Top 10  Popularity  Release date"))
        #expect(screen.contains("Interstellar"))
        #expect(!screen.contains("Parasite"))
        // It was not among the ten; now it is the first.
        try await publish(Harness.update(496_243, #""popularity": 9999"#), to: server)
        try await terminal.showed("the new first") {
            $0.contains("+ Parasite in Marquee, at 1") && $0.lines.contains { $0.contains(" Parasite  ") }
        }
        terminal.type("q")
        #expect(try await terminal.ended() == .exit(0))
        try await server.stop()
    }

    @Test func `what is visible for long enough is reported as seen, if the person says so`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await server()
        let programme = """
            impressions: {share: 0.5, for: 100ms, again: 0s}
            screens:
              home:
                title: Home
                sections: [{id: top, kind: rank, source: {records: {type: movie, sort: -popularity, limit: 3}}}]
            """
        let change = String(decoding: try JSONEncoder().encode(["programme": programme]), as: UTF8.self)
        try await publish(change, to: server)
        func seen() async throws -> String {
            try await Newcomer.run(["seen", "--data", server.data.path], in: folder).output
        }
        // Each look takes longer than the programme asks for, unless the machine is faster than anybody reads.
        func look(_ arguments: [String]) async throws {
            let terminal = try subscribe(server, arguments)
            try await terminal.shows("the live screen", Self.isLive)
            terminal.type("?")
            try await terminal.shows("Shift-Tab")
            terminal.type("?")
            try await terminal.shows("the screen without the keys") { !$0.contains("Shift-Tab") }
            terminal.type("q")
            #expect(try await terminal.ended() == .exit(0))
        }
        try await look([])
        #expect(try await seen().isEmpty, "nothing is reported by itself")
        try await eventually("something being reported") {
            try await look(["--report-seen"])
            return try await seen().contains(#""kind":"seen","screen":"home","section":"top""#)
        }
        try await server.stop()
    }

    @Test func `keys move, open, go back, search, mark, and explain themselves`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await server()
        let terminal = try subscribe(server)
        try await terminal.shows("the live screen", Self.isLive)
        terminal.type("?")
        try await terminal.shows("Shift-Tab")
        terminal.type("?")
        try await terminal.shows("the screen without the keys") { !$0.contains("Shift-Tab") }

        // The ranking's second item, by the sequence that this terminal sends for an arrow.
        terminal.type("\t\u{1B}OC")
        try await terminal.shows("▸Guardians of the")
        // Another order, which is not news: the person asked for it.
        let before = terminal.screen.lines
        terminal.type("s")
        try await terminal.shows("another order") { $0.lines != before }
        #expect(!terminal.screen.lines.contains { $0.hasSuffix(" in Top 10") })
        terminal.type("\r")
        try await terminal.shows("a detail") { $0.lines[0].hasPrefix(" Home › ") && $0.contains("directed by ") }
        terminal.type("\u{7F}")
        try await terminal.shows("the first page") { $0.lines[0].hasPrefix(" Home  ") }

        terminal.type("/")
        try await terminal.shows("type part of a title")
        terminal.type("기생")
        try await terminal.shows("1 match")
        terminal.type("\r")
        try await terminal.shows("what was found") { $0.lines[0].hasPrefix(" Home › Parasite ") }
        terminal.type("f")
        try await terminal.shows("the star") { $0.contains("Parasite (2019)  ★") }
        terminal.type("q")
        #expect(try await terminal.ended() == .exit(0))
        let list = try RunningProcess(
            "marquee", ["favorite", "list", "--user", "ann", "--server", server.address], in: folder)
        try await list.ended()
        #expect(list.output.contains("Parasite"))
        try await server.stop()
    }

    @Test func `80 by 24 cells show the chart and, on top, what changes; and the roles of a detail`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await server()
        let terminal = try subscribe(server, environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"])
        terminal.resize(columns: 80, rows: 24)
        try await terminal.shows("the live screen", Self.isLive)
        try await terminal.shows("the chart") { $0.contains("Top 10") && $0.contains("Box office") }
        #expect(terminal.screen.contains("▀▀▀▀▀▀"))
        #expect(String(decoding: terminal.screen.bytes, as: UTF8.self).contains("\u{1B}[0;38;2;"))
        try await publish(Harness.update(157_336, #""voteAverage": 9.9"#), to: server)
        try await terminal.showed("the change below the title") {
            $0.lines[1].contains("Interstellar") && $0.lines[1].contains("9.9")
        }
        terminal.type("\r")
        try await terminal.shows("the cast with its roles") {
            $0.contains("as Cooper") || $0.contains("as Joseph Cooper")
        }
        terminal.type("\u{7F}a")
        try await terminal.shows("▸1  Action")
        terminal.type("2")
        try await terminal.shows("the favorites") { $0.lines[0].hasPrefix(" Home › My favorites") }
        terminal.type("q")
        #expect(try await terminal.ended() == .exit(0))
        try await server.stop()
    }

    @Test func `a new size is drawn in full, and one that is too small says so`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await server()
        let terminal = try subscribe(server)
        try await terminal.shows("the live screen", Self.isLive)
        for (columns, rows) in [(60, 18), (200, 60), (80, 24), (20, 6)] {
            terminal.resize(columns: columns, rows: rows)
            try await terminal.shows("\(columns) × \(rows)") { screen in
                screen.lines[0].hasPrefix(" Home") && screen.lines[rows - 1].hasPrefix(" ● live")
                    && (columns < 80
                        || screen.lines[0].count + 1 == columns && screen.lines[rows - 1].hasSuffix("? keys"))
            }
        }
        terminal.resize(columns: 12, rows: 3)
        try await terminal.shows("too small")
        terminal.resize(columns: 80, rows: 24)
        try await terminal.shows("the screen again", Self.isLive)
        terminal.type("q")
        #expect(try await terminal.ended() == .exit(0))
        try await server.stop()
    }

    @Test func `however it ends, the terminal is as it was`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await server()
        let endings: [(String, (PseudoTerminal) -> Void, PseudoTerminal.Ending)] = [
            ("q", { $0.type("q") }, .exit(0)),
            ("Ctrl-C", { $0.type("\u{03}") }, .exit(0)),
            ("SIGTERM", { $0.signal(SIGTERM) }, .exit(0)),
            ("SIGHUP", { $0.signal(SIGHUP) }, .signal(SIGHUP)),
            ("Ctrl-\\", { $0.type("\u{1C}") }, .signal(SIGQUIT)),
            ("SIGALRM", { $0.signal(SIGALRM) }, .signal(SIGALRM)),
            ("SIGXCPU", { $0.signal(SIGXCPU) }, .signal(SIGXCPU)),
            ("a crash", { $0.signal(SIGSEGV) }, .signal(SIGSEGV)),
            ("a failed check", { $0.signal(SIGTRAP) }, .signal(SIGTRAP)),
        ]
        for (name, end, ending) in endings {
            let terminal = try subscribe(server)
            try await terminal.shows("the live screen", Self.isLive)
            #expect(terminal.screen.isAlternate && !terminal.screen.isCursorVisible)
            #expect(terminal.settings != terminal.formerSettings)
            end(terminal)
            #expect(try await terminal.ended() == ending, "\(name)")
            #expect(terminal.settings == terminal.formerSettings, "\(name)")
            #expect(!terminal.screen.isAlternate && terminal.screen.isCursorVisible, "\(name)")
            #expect(
                terminal.screen.text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty,
                "\(name): \(terminal.screen.text)")
        }
        // With its window closed there is nothing to restore, and nobody to continue for.
        let terminal = try subscribe(server)
        try await terminal.shows("the live screen", Self.isLive)
        terminal.hangUp()
        #expect(try await terminal.ended() == .signal(SIGHUP))
        try await server.stop()
    }

    @Test func `a terminal that takes no output gets its settings back all the same`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await server()
        let terminal = try subscribe(server)
        try await terminal.shows("the live screen", Self.isLive)
        terminal.stopOutput()
        terminal.type("?")
        terminal.signal(SIGTERM)
        #expect(try await terminal.ended() == .exit(0))
        #expect(terminal.settings == terminal.formerSettings)
        try await server.stop()
    }

    @Test func `in a shell it stops and continues as a job does, and no paste reaches the shell`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await server()
        let shell = try PseudoTerminal(
            "/bin/sh", ["-i"], in: folder,
            environment: [
                "TERM": "xterm-256color", "PS1": "ready> ", "MARQUEE_SERVER": server.address,
                "MARQUEE_MIRROR": folder.appending(path: "m.sqlite").path,
                "PATH": "\(RunningProcess.products.path):/usr/bin:/bin",
            ])
        func isReady(_ screen: EmulatedScreen) -> Bool {
            !screen.isAlternate && screen.isCursorVisible
                && screen.lines.last { !$0.isEmpty }?.hasSuffix("ready>") == true
        }
        func prompt() async throws { try await shell.shows("the prompt", isReady) }
        func stopped() async throws {
            try await shell.shows("that the job is stopped") { isReady($0) && $0.contains("topped") }
            #expect(shell.settings == shell.formerSettings)
            shell.type("clear\r")
            try await shell.shows("nothing else") { isReady($0) && !$0.contains("topped") }
        }
        try await prompt()
        // In the background it leaves the shell's terminal alone, until the shell hands it over. The shell hears that
        // it has stopped once all of its threads have.
        shell.type("marquee subscribe home & while grep -qv ') T' /proc/$!/task/*/stat; do sleep 0.05; done\r")
        try await stopped()
        shell.type("fg\r")
        try await shell.shows("the live screen", Self.isLive)
        shell.type("\u{1A}")
        try await stopped()
        shell.type("fg\r")
        try await shell.shows("the live screen", Self.isLive)

        // Typed by a program, which a terminal can't tell from a person, and pasted.
        shell.type("\u{1A}q\rtouch pasted\r\u{3}")
        try await shell.shows("that it isn't taken") { $0.lines.last?.contains("/ first") == true }
        shell.type("/")
        try await shell.shows("type part of a title")
        shell.type("\u{1B}[200~inter\r\n\tstellar\rtouch pasted\r\u{1B}[201~")
        try await shell.shows("the words") { $0.lines[0].hasPrefix(" / inter stellar touch pasted▏") }
        shell.type("\u{3}")
        try await prompt()
        shell.type("echo `ls | grep -c pasted` files\r")
        try await shell.shows("0 files")
        shell.type("exit\r")
        #expect(try await shell.ended() == .exit(0))
        try await server.stop()
    }

    @Test func `a terminal gets what it can show: no colours, no wide locale, or only lines`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await server()
        for environment in [["TERM": "xterm-256color", "NO_COLOR": "1"], ["TERM": "vt100"]] {
            let terminal = try subscribe(server, environment: environment)
            try await terminal.shows("the live screen", Self.isLive)
            #expect(terminal.screen.contains("Interstellar"))
            #expect(!terminal.screen.contains("▀") && terminal.screen.contains("──┐"), "\(environment)")
            #expect(!terminal.screen.hasColors, "\(environment)")
            terminal.type("q")
            #expect(try await terminal.ended() == .exit(0))
            #expect(terminal.settings == terminal.formerSettings)
        }
        for environment in [["TERM": "linux"], ["TERM": "xterm-256color", "LC_ALL": "C"]] {
            let terminal = try subscribe(server, ["--locale", "ko"], environment: environment)
            try await terminal.shows("the live screen", Self.isLive)
            #expect(terminal.screen.hasColors)
            #expect(terminal.screen.contains("인터스텔라"), "\(environment): \(terminal.screen.text)")
            terminal.type("q")
            #expect(try await terminal.ended() == .exit(0))
        }
        let reasons = [
            (["TERM": "dumb"], "'dumb' can't show screens; these are lines"),
            (["TERM": "no-such-terminal"], "no terminal of the kind 'no-such-terminal' is known here; these are lines"),
            ([:], "TERM isn't set; these are lines"),
        ]
        for (environment, reason) in reasons {
            let terminal = try subscribe(server, environment: environment)
            try await terminal.shows("(live)")
            #expect(String(decoding: terminal.screen.bytes, as: UTF8.self).contains(reason))
            #expect(!terminal.screen.isAlternate && terminal.settings == terminal.formerSettings)
            #expect(environment["TERM"] != "dumb" || !terminal.screen.bytes.contains(0x1B))
            terminal.type("\u{03}")
            #expect(try await terminal.ended() == .exit(0))
        }
        try await server.stop()
    }

    @Test
    func `without a server it opens from the mirror with its age, and continues when the server is back`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await server()
        let first = try subscribe(server)
        try await first.shows("the live screen", Self.isLive)
        try await server.kill()
        try await first.shows("what has become of the server") {
            $0.lines.last?.hasPrefix(" ○ offline, ") == true && $0.contains("Interstellar")
        }
        first.type("q")
        #expect(try await first.ended() == .exit(0))

        let second = try subscribe(server)
        try await second.shows("the stored screen") {
            $0.lines.last?.contains(" · stored ") == true && $0.contains("Interstellar")
        }
        try await server.start()
        try await second.shows("the live screen", Self.isLive)
        second.type("q")
        #expect(try await second.ended() == .exit(0))
        try await server.stop()
    }
}
