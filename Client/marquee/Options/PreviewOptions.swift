import ArgumentParser
import MarqueeModel
import MarqueeTypes

/// Another reader, another moment and a draft: `--as plan=free,audience=korea --at 2026-12-24T20:00+09:00`.
struct PreviewOptions: ParsableArguments {
    /// Reads a moment as people write it.
    static func moment(_ text: String) throws -> Moment {
        guard let moment = Moment(written: text) else {
            throw ValidationError(
                "'\(text)' is not a moment with its distance from UTC, such as 2026-12-24T20:00+09:00")
        }
        return moment
    }

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            """
            The reader's claims and audiences, with commas. Sections with a user's own data are left out. Needs the \
            scope 'publish :programme'. Repeatable.
            """,
            valueName: "plan=free,audience=korea"))
    var readers: [String] = []

    @Option(
        help: ArgumentHelp(
            "The moment, past or future, with records as they are now. Needs the same scope.",
            valueName: "2026-12-24T20:00+09:00"),
        transform: { try PreviewOptions.moment($0) })
    var at: Moment?

    @Option(
        help: ArgumentHelp(
            "With this draft, once, without following it. Needs the scope 'draft NAME'.", valueName: "name"))
    var draft: String?

    var reader: [String] {
        readers.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// - Throws: a mistake in usage if a preview is asked of a mirror.
    func check(offline: Bool) throws {
        guard isGiven, offline else { return }
        throw ValidationError("--offline shows what the mirror has; leave it out with --as, --at and --draft")
    }

    var isGiven: Bool { !readers.isEmpty || at != nil || draft != nil }
}
