import ArgumentParser
import Foundation
@_spi(Admin) import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON

struct FavoriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "Sets, unsets and lists favorites.",
        discussion: """
            Favorites are one of a user's collections; see `marquee help collection`.

            EXAMPLES
              marquee favorite add movie/27205 --user ann
              marquee favorite remove 27205 603 --user ann
              marquee favorite add movie/27205 course/home.c-101/c-101 --user ann
              marquee favorite add 'airport/Kai Tak' --user ann
              marquee favorite list --user ann

            Anything with a subject can be a favorite: `get SCREEN --output ndjson` shows the
            subject of each item. It is TYPE/ID, where the id is any text; quote one with spaces
            for your shell. A number alone is a movie.

            Without a server a favorite is stored in the mirror; the next command that
            reaches the server sends it, `subscribe` too. While another process owns the
            mirror nothing can be stored there, so the server must confirm at once; otherwise
            the command exits with 69, or with 75 if the server asks to try later, for example
            because its disk is full.
            """,
        subcommands: [Add.self, Remove.self, List.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds favorites.")
        @OptionGroup var change: FavoriteChange
        func run() async throws { try await change.run(on: true) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes favorites.")
        @OptionGroup var change: FavoriteChange
        func run() async throws { try await change.run(on: false) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the favorites, newest first.")

        @Option(help: ArgumentHelp("How long to wait for the server, in seconds.", valueName: "seconds"))
        var timeout = Seconds(3)
        @OptionGroup(title: "Output") var output: OutputOptions
        @OptionGroup(title: "Mirror") var mirror: SharedMirrorOptions
        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func run() async throws {
            let connection = try connection.resolved().named()
            let opened = try await OpenClient(connection, mirror: mirror, mayFallBack: true)
            let list = try await FavoriteList.read(opened.client, timeout: timeout)
            await opened.client.close()
            try list.check(server: connection.server, mirror: opened.path)
            switch output.format {
            case .ndjson: try Output.standard.write(list.document.line())
            case .lines:
                if let note = list.note(server: connection.server) { Notes().say(note) }
                try Output.standard.write(list.lines(columns: output.printer().columns))
            }
        }
    }
}

/// The arguments and options that `favorite add` and `favorite remove` share.
struct FavoriteChange: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The subject, such as movie/27205 or episode/e1; a number alone is a movie.",
            valueName: "subject"),
        transform: { try FavoriteSubject(argument: $0) })
    var subjects: [FavoriteSubject]

    @Option(help: ArgumentHelp("How long to wait for the server, in seconds.", valueName: "seconds"))
    var timeout = Seconds(3)
    @OptionGroup(title: "Mirror") var mirror: SharedMirrorOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run(on: Bool) async throws {
        let connection = try connection.resolved().named()
        let opened = try await OpenClient(connection, mirror: mirror, mayFallBack: true)
        let client = opened.client
        let events = client.events
        for named in subjects { try await client.setFavorite(on, for: named.subject) }
        let isConfirmed = await client.hasConfirmed(within: timeout)
        // Removing a favorite of something that is gone is tidying up; adding one is probably a mistake.
        let missing = on && isConfirmed ? await FavoriteChange.missing(subjects.map(\.subject), on: client) : []
        await client.close()
        let outcome = await ChangeOutcome(of: opened, isConfirmed: isConfirmed, events: events)
        for named in subjects {
            if let line = outcome.line(for: named.subject, in: .favorites, on: on) { try Output.standard.write(line) }
        }
        for subject in missing {
            Notes.complain("the server has no \(subject); the favorite is kept, and is not shown until there is one")
        }
        try outcome.conclude(server: connection.server, mirror: opened.path, named: subjects)
    }
}

extension FavoriteChange {
    /// The subjects that lead to a screen the server doesn't have.
    private static func missing(_ subjects: [Subject], on client: MarqueeClient) async -> [Subject] {
        let offer = try? await client.describe()
        var missing: [Subject] = []
        for subject in subjects {
            guard let screen = Browser.screen(of: subject, offer) else { continue }
            do throws(ClientError) {
                _ = try await client.fetchScreen(screen)
            } catch {
                guard error.status?.code == .notFound, error.status?.reason != "UNKNOWN_SCREEN" else { continue }
                missing.append(subject)
            }
        }
        return missing
    }
}

/// `type/id`, such as `movie/27205`, where the id is any text; a number alone is a movie.
struct FavoriteSubject: Hashable {
    var subject: Subject
    /// Whether only a number was given, which is taken for a movie.
    var isNumber = false

    /// - Throws: `ValidationError` for a text that can't be a subject.
    init(argument: String) throws {
        if let id = UInt64(argument) {
            subject = .movie(id)
            isNumber = true
            return
        }
        // Ids are stored in composed form; a terminal or a file's name may use the decomposed one.
        let name = argument.precomposedStringWithCanonicalMapping
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ValidationError("a subject is TYPE/ID, such as movie/27205")
        }
        guard let first = parts[0].first, first.isASCII, first.isLowercase,
            parts[0].utf8.allSatisfy({ FavoriteSubject.isTypeByte($0) })
        else {
            throw ValidationError("before the slash is a type: lowercase letters, digits, - and _, a letter first")
        }
        guard name.utf8.count <= Subject.maximumLength else {
            throw ValidationError("a subject has at most \(Subject.maximumLength) bytes, not \(name.utf8.count)")
        }
        subject = Subject(name)
    }

    private static func isTypeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
