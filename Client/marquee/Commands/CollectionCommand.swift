import ArgumentParser
import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON

struct CollectionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collection",
        abstract: "Changes and lists the collections of a user, such as favorites.",
        discussion: """
            A collection is a set that belongs to a user. Every server has favorites; the types of
            its records may declare others, and the value of a member.

            EXAMPLES
              marquee collection add watchlist episode/e1 --user ann
              marquee collection set progress episode/e1 120 --user ann
              marquee collection set bookmark book/7 '{"page": 12}' --user ann
              marquee collection remove progress episode/e1 --user ann
              marquee collection add watchlist 'episode/On the road' --user ann
              marquee collection list progress --user ann --output ndjson

            A value is JSON of the declared type; a word that is not JSON counts as a string. If
            the server refuses a change, the command exits with 76 and the change is undone.

            Without a server a change is stored in the mirror; the next command that reaches the
            server sends it, `subscribe` too. While another process owns the mirror nothing can be
            stored there, so the server must confirm at once; otherwise the command exits with 69,
            or with 75 if the server asks to try later.
            """,
        subcommands: [Add.self, Remove.self, Set.self, List.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a member, with its value if the collection keeps one.")
        @Argument(help: CollectionArgument.collectionHelp, completion: CollectionArgument.completion)
        var collection: CollectionArgument
        @Argument(help: CollectionArgument.subjectHelp, transform: { try FavoriteSubject(argument: $0) })
        var subject: FavoriteSubject
        @Argument(help: CollectionArgument.valueHelp) var value: ValueArgument?
        @OptionGroup var options: CollectionOptions

        func run() async throws {
            try await options.change(collection.name, [subject], on: true, value: value?.value)
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets the value of a member, adding the member if necessary.")
        @Argument(help: CollectionArgument.collectionHelp, completion: CollectionArgument.completion)
        var collection: CollectionArgument
        @Argument(help: CollectionArgument.subjectHelp, transform: { try FavoriteSubject(argument: $0) })
        var subject: FavoriteSubject
        @Argument(help: CollectionArgument.valueHelp) var value: ValueArgument
        @OptionGroup var options: CollectionOptions

        func run() async throws {
            try await options.change(collection.name, [subject], on: true, value: value.value)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes members.")
        @Argument(help: CollectionArgument.collectionHelp, completion: CollectionArgument.completion)
        var collection: CollectionArgument
        @Argument(help: CollectionArgument.subjectHelp, transform: { try FavoriteSubject(argument: $0) })
        var subjects: [FavoriteSubject]
        @OptionGroup var options: CollectionOptions

        func run() async throws {
            try await options.change(collection.name, subjects, on: false, value: nil)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the members of a collection with their values, newest first.")
        @Argument(help: CollectionArgument.collectionHelp, completion: CollectionArgument.completion)
        var collection: CollectionArgument
        @OptionGroup var options: CollectionOptions

        func run() async throws {
            let connection = try options.connection.resolved().named()
            let opened = try await OpenClient(connection, mirror: options.mirror, mayFallBack: true)
            let list = try await CollectionList.read(collection.name, of: opened.client, timeout: options.timeout)
            await opened.client.close()
            try list.check(server: connection.server, mirror: opened.path)
            switch options.output.format {
            case .ndjson: try Output.standard.write(list.document.line())
            case .lines:
                if let note = list.note(server: connection.server) { Notes().say(note) }
                try Output.standard.write(list.lines)
            }
        }
    }
}

/// The options that the subcommands share.
struct CollectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How long to wait for the server, in seconds.", valueName: "seconds"))
    var timeout = Seconds(3)
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Mirror") var mirror: SharedMirrorOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func change(
        _ collection: CollectionName, _ named: [FavoriteSubject], on: Bool, value: CollectionValue?
    ) async throws {
        let subjects = named.map(\.subject)
        let connection = try connection.resolved().named()
        let opened = try await OpenClient(connection, mirror: mirror, mayFallBack: true)
        let client = opened.client
        let events = client.events
        for subject in subjects {
            if on {
                try await client.set(subject, in: collection, value: value)
            } else {
                try await client.remove(subject, from: collection)
            }
        }
        let isConfirmed = await client.hasConfirmed(within: timeout)
        await client.close()
        let outcome = await ChangeOutcome(of: opened, isConfirmed: isConfirmed, events: events)
        for subject in subjects {
            let line: String? =
                switch output.format {
                case .lines: outcome.line(for: subject, in: collection, on: on, value: value)
                case .ndjson: outcome.document(for: subject, in: collection, on: on, value: value)?.line()
                }
            if let line { try Output.standard.write(line) }
        }
        try outcome.conclude(server: connection.server, mirror: opened.path, named: named)
    }
}

extension Connection {
    /// - Throws: `Failure` if there is no user.
    func named() throws -> Connection {
        guard user != nil else {
            throw Failure(
                .usage, "favorites and other collections need a user; name one with --user or MARQUEE_USER")
        }
        return self
    }
}

/// The name of a collection.
struct CollectionArgument: ExpressibleByArgument, Hashable {
    static let collectionHelp = ArgumentHelp(
        "The collection: favorites, or another that the server's types declare.", valueName: "collection")
    static let subjectHelp = ArgumentHelp(
        "The member: a subject, TYPE/ID with any text as id, such as episode/e1; a number alone is a movie.",
        valueName: "subject")
    static let valueHelp = ArgumentHelp(
        "The member's value, as JSON of the declared type; a word that is not JSON counts as a string.",
        valueName: "value")
    /// For shells: the collection that every server has.
    static let completion = CompletionKind.list([CollectionName.favorites.name])

    var name: CollectionName

    init?(argument: String) {
        guard (1...CollectionName.maximumLength).contains(argument.utf8.count),
            argument.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        name = CollectionName(argument)
    }
}

/// A value as JSON; a word that is not JSON counts as a string.
struct ValueArgument: ExpressibleByArgument, Hashable {
    var value: CollectionValue

    init?(argument: String) {
        guard !argument.utf8.contains(0) else { return nil }
        if JSONValue(json: argument) != nil {
            value = CollectionValue(json: argument)
        } else {
            value = CollectionValue(json: JSONValue.string(argument).line())
        }
        guard value.json.utf8.count <= CollectionValue.maximumLength else { return nil }
    }
}
