import ArgumentParser
import MarqueeClient
import MarqueeModel

struct FavoriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "Sets, unsets and lists favorites.",
        discussion: """
            EXAMPLES
              marquee favorite add movie/27205 --user ann
              marquee favorite remove 27205 603 --user ann
              marquee favorite list --user ann

            Without a server a favorite is stored in the mirror; the next command that
            reaches the server sends it, `subscribe` too. While
            another process owns the mirror nothing can be stored there, so the server must
            confirm at once; else the command ends with 69, or with 75 when it puts off what
            it is asked, as with a full disk.
            """,
        subcommands: [Add.self, Remove.self, List.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes movies favorites.")
        @OptionGroup var change: FavoriteChange
        func run() async throws { try await change.run(on: true) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes movies no favorites any more.")
        @OptionGroup var change: FavoriteChange
        func run() async throws { try await change.run(on: false) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the favorites, newest first.")

        @Option(help: ArgumentHelp("How long to wait for the server, in seconds.", valueName: "seconds"))
        var timeout = Seconds(3)
        @OptionGroup(title: "Output") var output: OutputOptions
        @OptionGroup(title: "Mirror") var mirror: MirrorOptions
        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func run() async throws {
            let connection = try FavoriteCommand.named(connection.resolved())
            let opened = try OpenClient(connection, mirror: mirror, mayFallBack: true)
            let list = await FavoriteList.read(opened.client, timeout: timeout)
            await opened.client.close()
            try list.check(server: connection.server, mirror: opened.path)
            switch output.format {
            case .ndjson: try Output.standard.write(list.document.line())
            case .lines:
                if !list.isLive { Notes().say("no answer from \(connection.server); this is what is stored") }
                try Output.standard.write(list.lines(columns: output.printer.columns))
            }
        }
    }

    /// - Throws: `Failure` when nobody is named.
    static func named(_ connection: Connection) throws -> Connection {
        guard connection.user != nil else {
            throw Failure(.usage, "favorites need a user; name one with --user or MARQUEE_USER")
        }
        return connection
    }
}

/// What `favorite add` and `favorite remove` share.
struct FavoriteChange: ParsableArguments {
    @Argument(help: "Movies, such as movie/27205 or 27205.")
    var movies: [FavoriteSubject]

    @Option(help: ArgumentHelp("How long to wait for the server, in seconds.", valueName: "seconds"))
    var timeout = Seconds(3)
    @OptionGroup(title: "Mirror") var mirror: MirrorOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run(on: Bool) async throws {
        let connection = try FavoriteCommand.named(connection.resolved())
        let opened = try OpenClient(connection, mirror: mirror, mayFallBack: true)
        let client = opened.client
        let events = client.events
        for movie in movies { try await client.setFavorite(movie.subject, on) }
        let isConfirmed = await client.favoritesConfirmed(within: timeout.duration)
        await client.close()
        // The stream ends with the client, and holds what it told until then.
        var outcome = FavoriteOutcome(isConfirmed: isConfirmed, fallback: opened.fallback)
        for await event in events { outcome.heard(event) }
        for movie in movies {
            if let line = outcome.line(for: movie.subject, on: on) { try Output.standard.write(line) }
        }
        try outcome.conclude(server: connection.server, mirror: opened.path)
    }
}

/// `movie/27205`, or the number alone.
struct FavoriteSubject: ExpressibleByArgument, Hashable {
    var subject: Subject

    init?(argument: String) {
        if let id = UInt64(argument) {
            subject = .movie(id)
        } else {
            guard argument.utf8.count <= Subject.maximumLength, Subject(argument).movie != nil else { return nil }
            subject = Subject(argument)
        }
    }
}

/// What became of favorites that were set, as far as the client heard.
struct FavoriteOutcome {
    /// Whether none waits for the server any more.
    var isConfirmed: Bool
    /// Why they are not stored on disk, if so.
    var fallback: String?
    private var rejected: [Subject: String] = [:]
    private var refusal: ClientError?
    private var unreachable: String?
    /// Why the server, which was reached, did not take them yet.
    private var heldUp: ClientError?

    init(isConfirmed: Bool, fallback: String?) {
        self.isConfirmed = isConfirmed
        self.fallback = fallback
    }

    mutating func heard(_ event: ClientEvent) {
        switch event {
        case .favoriteRejected(let subject, let reason): rejected[subject] = reason
        case .state(.failed(let error)): refusal = error
        case .state(.waiting(let reason, _)): unreachable = reason
        case .favoritesHeldUp(_, let error): heldUp = error
        default: break
        }
    }

    /// - Returns: `nil` for what the end tells.
    func line(for subject: Subject, on: Bool) -> String? {
        guard rejected[subject] == nil else { return nil }
        if isConfirmed { return "\(on ? "♥" : "♡") \(subject) \(on ? "added" : "removed")" }
        guard fallback == nil, refusal == nil else { return nil }
        let then =
            heldUp.map { "the server puts it off: \($0.message)" }
            ?? "the next command that reaches the server sends it"
        return Sanitizer.line("♡ \(subject) stored, to be \(on ? "added" : "removed"); \(then)")
    }

    /// - Parameter mirror: the path of the mirror in use.
    /// - Throws: `Failure` when the server refused, or when what it did not confirm is lost.
    func conclude(server: ServerAddress, mirror: String? = nil) throws {
        if let refusal {
            var failure = Failure(refusal, mirror: mirror)
            // What waits in a mirror is sent when a server takes it, perhaps never: nobody is left to think otherwise.
            if let mirror, fallback == nil, !isConfirmed {
                failure.message += "; what was asked for waits in \(mirror), and was not sent"
            }
            throw failure
        }
        if let (subject, reason) = rejected.min(by: { $0.key.name < $1.key.name }) {
            throw Failure(.protocolError, "the server refused \(subject): \(reason)")
        }
        if !isConfirmed, let fallback {
            if let heldUp {
                throw Failure(
                    ProgramExit(heldUp), "\(server) puts it off: \(heldUp.message); and nothing was stored: \(fallback)"
                )
            }
            let why = unreachable.map { "can't reach \(server): \($0)" } ?? "\(server) did not confirm in time"
            throw Failure(
                .unavailable, "\(why); and nothing was stored: \(fallback); end that process, or set the favorite in it"
            )
        }
    }
}
