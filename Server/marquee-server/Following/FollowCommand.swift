import ArgumentParser
import MarqueeImport
import MarqueePublisher
import MarqueeTypes

/// A source file, and the types that its rows become.
struct SourceFileOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The source file, as 'marquee-server scaffold' writes it.", valueName: "source"))
    var file: String

    @Option(
        help: ArgumentHelp(
            "The declaration of the types. (default: the one that the source names)", valueName: "file"))
    var types: String?

    func source() throws(CommandFailure) -> SourceFile { try Self.source(file) }

    static func source(_ file: String) throws(CommandFailure) -> SourceFile {
        let text = try ProgrammeSource.text(of: file, wrong: .badData)
        do throws(FileMistakes) {
            return try SourceFile(yaml: text, file: file)
        } catch {
            throw CommandFailure(.badData, "\(file) can't be used", details: error.mistakes.map(\.description))
        }
    }

    func declared(_ source: SourceFile) throws(CommandFailure) -> TypeSet {
        guard let types = types ?? source.types else {
            throw CommandFailure(
                .badData, "\(file) names no declaration of its types; add 'types: types.yaml', or name one with --types"
            )
        }
        return try ProgrammeSource.types(file: types, wrong: .badData)
    }
}

/// The server that a source publishes to.
struct SourceTargetOptions: ParsableArguments {
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The running server, which has to accept publications.", valueName: "host:port"),
        transform: { try ListenAddress(parsing: $0) })
    var server: ListenAddress

    @OptionGroup var publishing: PublishingOptions

    func validate() throws {
        guard server.port > 0 else { throw ValidationError("--to needs the port of a server, not 0") }
    }

    func target() throws(CommandFailure) -> SourceTarget {
        SourceTarget(
            server: server, tls: try publishing.client(for: server.host), token: try publishing.token())
    }
}

extension CommandFailure {
    /// Why a source can't be followed, or asked after.
    init(source error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as ImportError: self.init(error.code == .noInput ? .noInput : .badData, error.message)
        case let error as PublisherError:
            let code: Code =
                switch error.code {
                case .unreachable: .unavailable
                case .denied: .noPermission
                case .refused: .badData
                default: .temporary
                }
            self.init(code, error.message)
        default: self.init(.system, "\(error)")
        }
    }
}

/// `marquee-server follow`
struct FollowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Publish what is in a database, at an address or in files, and what changes there, until Ctrl-C.",
        discussion: """
            The source file says where the rows are, and which become records of which types, as for 'import source'. All \
            rows are compared with what the server has, and differences published. Then each transaction of a PostgreSQL \
            database is a publication, moments after its commit; addresses, files and SQLite databases are \
            polled.

              source: shop
              types: types.yaml
              postgres: {url: postgres://follower@db.example/shop, publication: marquee, slot: marquee_shop}
              # or postgres: {url: postgres://follower@db.example/shop, outbox: marquee_outbox}, without tables
              # or http: {url: https://api.example/products, every: 5m}
              # or tmdb: {key-file: tmdb.key, locales: [en-US, ko-KR], every: 1h}
              # or files: {name: incoming, match: "*.csv"}
              # or sqlite: {file: shop.db, every: 5s}
              # or stdin: ndjson
              tables:
                public.product: {type: product, map: {title: name}}

            Where the source is, is committed with what it publishes: however often this command or the server is killed, \
            each change takes effect once. A second one for the same database stands by, and takes over.

            Records without a row leave. At an address and in files, if less than half of them are still there, nothing is \
            published instead.

            'marquee-server source check' says what the database still needs. The token needs the scopes 'publish TYPE' \
            for each type and 'publish source/NAME'.

              marquee-server follow shop/source.yaml --to 127.0.0.1:7420
              marquee-server follow sheet/source.yaml --once --to 127.0.0.1:7420
            """)

    @OptionGroup var file: SourceFileOptions
    @OptionGroup var to: SourceTargetOptions

    @Flag(help: "Read an address, files or standard input once, publish what differs, and end.")
    var once = false

    @Flag(
        name: .customLong("accept-fewer"),
        help: "Accept that less than half of the server's records have a row, when an address or files are first read.")
    var acceptsFewer = false

    func run() throws {
        Console.surviveClosedPipes()
        let source = try file.source()
        let types = try file.declared(source)
        let interruption = Interruption()
        let shouldContinue = { interruption.isAbsent }
        do {
            switch source.origin {
            case .database(.postgres):
                if once || acceptsFewer {
                    throw CommandFailure(
                        .usage,
                        "--once and --accept-fewer are for addresses, files and SQLite; 'import source' reads a database once"
                    )
                }
                try Follower(source, types: types, to: try to.target(), shouldContinue: shouldContinue).run()
            case .outbox(let feed):
                if once || acceptsFewer {
                    throw CommandFailure(.usage, "--once and --accept-fewer are for addresses and files")
                }
                try OutboxFollower(source, feed, types: types, to: try to.target(), shouldContinue: shouldContinue)
                    .run()
            case .lines(let feed):
                if acceptsFewer {
                    throw CommandFailure(.usage, "--accept-fewer is for addresses and files; lines remove nothing")
                }
                try LineFollower(source, feed, types: types, to: try to.target(), shouldContinue: shouldContinue).run()
            case .http, .tmdb, .files, .file, .database(.sqlite):
                let options = FeedFollower.Options(isOnce: once, acceptsFewer: acceptsFewer)
                try FeedFollower(
                    source, types: types, to: try to.target(), options: options, shouldContinue: shouldContinue
                ).run()
            }
        } catch is Interruption.Ended {
            if once { throw Interruption.Ended() }
        } catch {
            throw CommandFailure(source: error)
        }
    }
}
