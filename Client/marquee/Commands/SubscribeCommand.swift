import ArgumentParser
import Foundation
import MarqueeClient
import MarqueeModel
import UnixSignals

struct SubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscribe",
        abstract: "Prints a screen, and then what changes on it, until you stop it.",
        discussion: """
            In a terminal it shows the screen itself: ? lists the keys, q ends it. Elsewhere,
            and with --output, --descriptors, --count or --timeout, it prints lines.

            What the mirror has comes first, with its age; what the server sends
            follows. Without a server it waits for one.

            EXAMPLES
              marquee subscribe home
              marquee subscribe detail/27205 --locale ko
              marquee subscribe home --sort rank=release-date --window genres=12
              marquee subscribe home --output ndjson | jq -c '.operations[]?'
              marquee subscribe home --count 1 --timeout 5
              marquee subscribe home --report --tap new/film-1 --timeout 3
              marquee subscribe home --draft spring

            The one with --count waits for the live screen, 5 seconds at most.

            EXIT STATUS
              0 after q, Ctrl-C, SIGTERM or --timeout when no --count was asked for, and when
              the count is reached; 75 when the time ran out first; 130 or 143 when
              stopped first.
            """)

    @Argument(help: "The screen, such as home or detail/27205.", completion: ScreenName.completion)
    var screen: ScreenName

    @OptionGroup(title: "What to show") var choices: SectionChoices
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var recordOptions: RecordOptions

    @Option(
        help: ArgumentHelp(
            """
            End after this many live values: the screen as the server has it, and each change of it. Stored values \
            don't count.
            """,
            valueName: "n"))
    var count: Int?

    @Option(help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var timeout: Seconds?

    @Flag(
        help: "Report what is printed as seen, as an app does, where the server asks for it. Prints lines.")
    var report = false

    @Flag(
        name: .customLong("report-seen"),
        help: "Report what the terminal shows for long enough as seen, where the server asks for it.")
    var reportSeen = false

    @Option(
        help: ArgumentHelp(
            "Report a tap on this item, where the server asks for taps. Prints lines.", valueName: "section/item"))
    var tap: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            As it will be with this draft, until that is published or dropped; looked at every two seconds. Prints \
            lines. Needs the scope 'draft NAME'.
            """,
            valueName: "name"))
    var draft: String?

    @Flag(name: [.long, .customShort("q")], help: "No notes about the connection on standard error.")
    var quiet = false

    @OptionGroup(title: "Mirror") var mirror: SharedMirrorOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be 1 or more") }
        if draft != nil, report || reportSeen || !tap.isEmpty {
            throw ValidationError("nobody has seen a draft yet; leave --report, --report-seen and --tap out")
        }
    }

    /// The reason why the command ended.
    enum Ending: Hashable, Sendable {
        case counted
        case timedOut
        case signal(ProgramExit)
        case readerGone
        /// The client was closed; nothing more comes.
        case closed
        /// The draft has been published or dropped.
        case draftEnded
    }

    func run() async throws {
        let connection = try connection.resolved()
        let records = try recordOptions.reader()
        let notes = Notes(isQuiet: quiet)
        if wantsView {
            guard let obstacle = Self.obstacleToView() else { return try await browse(connection) }
            notes.say("\(obstacle); these are lines instead of screens")
        }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let opened = try await OpenClient(connection, mirror: mirror, mayFallBack: false, needsDisk: false)
        let client = opened.client
        if let fallback = opened.fallback { notes.say("\(fallback); this one keeps nothing on disk") }
        let reporter = SubscribeReporter(
            screen: screen.id, format: output.format, rows: output.rows, records: records, notes: notes,
            server: connection.server,
            choices: choices)
        let printed =
            report || reportSeen || !tap.isEmpty
            ? PrintedItems(
                client: client, screen: screen.id, rows: output.format == .lines ? output.rows : 0,
                reportsSeen: report || reportSeen, taps: tap) : nil
        do {
            let ending = try await follow(client, reporter, printed, signals)
            if ending == .draftEnded { notes.say("the draft '\(draft ?? "")' has been published or dropped") }
            if let problem = await printed?.end() { notes.say(problem) }
            await client.close()
            try SubscribeCommand.conclude(ending, wantsCount: count != nil)
        } catch let error as ClientError {
            await client.close()
            try await reporter.failed(error)
            throw Failure(error, mirror: opened.path)
        }
    }

    /// Whether a person is watching and no option asks for lines: then the screen itself is shown, and keys are read.
    private var wantsView: Bool {
        output.output == nil && recordOptions.descriptors == nil && count == nil && timeout == nil
            && !report && tap.isEmpty && draft == nil && isatty(STDOUT_FILENO) == 1
    }

    /// Why the terminal can't show screens; `nil` if it can. Waits until the terminal is this job's.
    private static func obstacleToView() -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return "no keys can be read, as standard input isn't a terminal" }
        if let obstacle = TerminalDescription.obstacle(environment: ProcessInfo.processInfo.environment) {
            return obstacle
        }
        return JobControl.waitForForeground() ? nil : "the terminal is another job's"
    }

    private func browse(_ connection: Connection) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sigwinch, .sigcont)
        let opened = try await OpenClient(connection, mirror: mirror, mayFallBack: false, needsDisk: false)
        let ending: TerminalSession.Ending
        do {
            ending = try await TerminalSession(
                client: opened.client, screen: screen.id, server: connection.server, user: connection.user,
                locale: connection.locale, note: opened.fallback.map { "\($0); this one keeps nothing on disk" },
                choices: choices, reportsSeen: reportSeen, signals: signals
            ).run()
            if reportSeen { _ = try? await opened.client.observationsReported(within: PrintedItems.patience) }
        } catch {
            await opened.client.close()
            throw error
        }
        await opened.client.close()
        switch ending {
        case .quit, .signal: return
        }
    }

    /// Runs until the first reason to end.
    private func follow(
        _ client: MarqueeClient, _ reporter: SubscribeReporter, _ printed: PrintedItems?,
        _ signals: UnixSignalsSequence
    ) async throws -> Ending {
        try await withThrowingTaskGroup(of: Ending.self) { group in
            defer { group.cancelAll() }
            group.addTask { [screen, options = choices.options, count, draft] in
                if let draft {
                    var follower = DraftFollower(client, screen.id, options, draft: draft)
                    while let update = try await follower.next() {
                        let live = try await reporter.show(update)
                        if let count, live >= count { return .counted }
                    }
                    return .draftEnded
                }
                for try await update in client.screen(screen.id, options: options) {
                    let live = try await reporter.show(update)
                    await printed?.show(update)
                    if let count, live >= count { return .counted }
                }
                return .closed
            }
            group.addTask {
                for await event in client.events { try await reporter.note(event) }
                return .closed
            }
            group.addTask {
                for await signal in signals { return .signal(signal == .sigint ? .interrupted : .terminated) }
                return .closed
            }
            group.addTask {
                await OutputWatch.readerGone()
                return .readerGone
            }
            if let timeout {
                group.addTask {
                    try await Task.sleep(for: timeout.duration)
                    return .timedOut
                }
            }
            return try await group.next() ?? .closed
        }
    }

    /// If a number of values was asked for and not reached, the exit status says so.
    static func conclude(_ ending: Ending, wantsCount: Bool) throws {
        switch ending {
        case .counted, .readerGone: return
        case .draftEnded where wantsCount:
            throw Failure(.tryAgain, "the draft was published or dropped before the count was reached")
        case .draftEnded: return
        case .timedOut where wantsCount: throw Failure(.tryAgain, "the time ran out before the count was reached")
        case .signal(let status) where wantsCount: throw Failure(status, "")
        case .timedOut, .signal: return
        case .closed: throw Failure(.unavailable, "the connection was closed")
        }
    }
}
