import ArgumentParser
import MarqueeModel
import MarqueeTypes

/// Another reader, another moment and a draft: `--as plan=free,audience=korea --at 2026-12-24T20:00+09:00`.
struct PreviewOptions: ParsableArguments {
    /// A moment as people write it.
    struct WrittenMoment: ExpressibleByArgument, Hashable {
        var moment: Moment

        init?(argument: String) {
            guard let moment = Moment(written: argument) else { return nil }
            self.moment = moment
        }
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
            valueName: "2026-12-24T20:00+09:00"))
    var at: WrittenMoment?

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
