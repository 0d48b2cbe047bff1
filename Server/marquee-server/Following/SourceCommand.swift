import ArgumentParser
import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueePublisher
import MarqueeServer
import MarqueeTypes
import MarqueeWire

/// `marquee-server source`
struct SourceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source",
        abstract: "Inspect and check followed sources.",
        discussion: """
              marquee-server source sql shop/source.yaml
              marquee-server source check shop/source.yaml
              marquee-server source list --to 127.0.0.1:7420
              marquee-server source verify shop/source.yaml --to 127.0.0.1:7420
            """,
        subcommands: [SourceSQLCommand.self, SourceCheckCommand.self, SourceListCommand.self, SourceVerifyCommand.self])
}

/// `marquee-server source sql`
struct SourceSQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Print the SQL that an administrator must run before the database can be followed.",
        discussion: """
            Reads only the source file and connects to nothing. 'source check' prints what is still missing.

              marquee-server source sql shop/source.yaml > for-the-administrator.sql
            """)

    @Argument(help: ArgumentHelp("The source file.", valueName: "source"))
    var file: String

    func run() throws {
        let source = try SourceFileOptions.source(file)
        guard let statements = source.statements else {
            throw CommandFailure(.badData, "\(file) names no PostgreSQL database; nothing else has to be allowed")
        }
        for line in statements { Console.say(line) }
    }
}

/// `marquee-server source check`
struct SourceCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what a database needs before it can be followed, as SQL for its administrator.",
        discussion: """
            An address, files or SQLite are read once, and rows that can't be used are counted. Nothing is changed. Exits with \(CommandFailure.Code.noPermission.rawValue) if something is missing.

              marquee-server source check shop/source.yaml > for-the-administrator.sql
            """)

    @OptionGroup var file: SourceFileOptions

    func run() throws {
        let source = try file.source()
        let types = try file.declared(source)
        if case .outbox(let feed) = source.origin { return try check(feed, source) }
        if !source.hasLog {
            do { try FeedFollower.looking(source, types).check() } catch { throw try CommandFailure(looking: error) }
            return
        }
        do throws(ImportError) {
            let database = try FollowedDatabase(source, types: types)
            let needs = try database.missing()
            say(needs)
            for table in database.tables {
                if let unused = table.unused { Console.complain("\(table.name): \(unused)", .notice) }
            }
            for (table, reason) in database.unusable.sorted(by: { $0.key < $1.key }) {
                Console.complain("\(table): \(reason)")
            }
            guard needs.isEmpty, database.unusable.isEmpty else { throw ImportError(.refused, "") }
            Console.say("\(source.name) can be followed")
        } catch  where error.code == .refused && error.message.isEmpty {
            throw CommandFailure(.noPermission, "\(source.name) can't be followed yet")
        } catch {
            throw CommandFailure(source: error)
        }
    }

    private func say(_ needs: [FollowNeed]) {
        for need in needs {
            Console.say("-- \(need.problem)")
            if let sql = need.sql { Console.say(sql) }
        }
    }

    private func check(_ feed: OutboxFeed, _ source: SourceFile) throws(CommandFailure) {
        let needs: [FollowNeed]
        do throws(ImportError) { needs = try OutboxTable(feed).missing() } catch { throw CommandFailure(source: error) }
        say(needs)
        guard needs.isEmpty else { throw CommandFailure(.noPermission, "\(source.name) can't be followed yet") }
        Console.say("\(source.name) can be followed")
    }
}

/// `marquee-server source list`
struct SourceListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the sources of a running server: where they are, how far behind, and what is wrong.",
        discussion: """
            Lists the sources that the token may publish for. What a source does and its lag are as it told this server last.
            """)

    @OptionGroup var to: SourceTargetOptions

    func run() throws {
        let target = try to.target()
        let interruption = Interruption()
        let publisher = Publisher(
            host: target.server.host, port: target.server.port, tls: target.tls, token: target.token,
            agent: "\(MarqueeServerCommand.name)/\(MarqueeServer.version)", shouldContinue: { interruption.isAbsent })
        defer { publisher.close() }
        let sources: [SourceState]
        do throws(PublisherError) { sources = try publisher.sources() } catch { throw CommandFailure(source: error) }
        guard !sources.isEmpty else { return Console.say("no sources") }
        let rows = sources.map { Self.cells($0, now: Date().timeIntervalSince1970) }
        for line in Columns.lines([["SOURCE", "POSITION", "MOVED", "DOES", "LAG", "TROUBLE"]] + rows) {
            Console.say(line)
        }
    }

    /// The same text as in `/ready`; from an older server, the last error.
    private static func trouble(_ state: SourceState) -> String? {
        state.trouble.map { "\($0.reason), for \($0.ageMilliseconds / 1_000) s" } ?? state.report?.error
    }

    static func cells(_ state: SourceState, now: Double) -> [String] {
        let moved = state.movedMilliseconds.map { "\(Int(max(0, now - Double($0) / 1_000))) s ago" } ?? "-"
        let age = state.reportAgeMilliseconds.map {
            $0 < 2 * Follower.reportMilliseconds ? "" : ", \($0 / 1_000) s ago"
        }
        return [
            state.source, state.position ?? "-", moved, state.report.map { $0.state + (age ?? "") } ?? "-",
            state.report?.lagMilliseconds.map { "\($0) ms" } ?? "-", trouble(state) ?? "-",
        ]
    }
}

/// `marquee-server source verify`
struct SourceVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare all rows of a source with the records that a running server has.",
        discussion: """
            Nothing is changed. Changes in flight may be reported as differences. Exits with \
            \(CommandFailure.Code.badData.rawValue) if there are any.
            """)

    @OptionGroup var file: SourceFileOptions
    @OptionGroup var to: SourceTargetOptions

    func run() throws {
        let source = try file.source()
        let types = try file.declared(source)
        var differences = 0
        func differs(_ id: RecordID, _ bytes: [UInt8]?) {
            differences += 1
            guard differences <= Self.shown else { return }
            Console.say("\(id.subject.name): \(bytes == nil ? "has no row" : "differs from its row")")
        }
        let unusable: Int
        do {
            if source.hasLog {
                unusable = try verify(source, types) { differs($0, $1) }
            } else {
                unusable = 0
                try FeedFollower.looking(source, types, at: try to.target()).verify { differs($0, $1) }
            }
        } catch {
            throw try CommandFailure(looking: error)
        }
        guard unusable == 0 else {
            throw CommandFailure(.badData, "\(counted(unusable, "table")) could not be compared")
        }
        guard differences == 0 else {
            throw CommandFailure(
                .badData,
                "\(counted(differences, "record")) differ from the \(source.hasLog ? "database" : "source")")
        }
    }

    /// - Returns: how many tables can't be compared.
    private func verify(
        _ source: SourceFile, _ types: TypeSet, differs: (RecordID, [UInt8]?) -> Void
    ) throws -> Int {
        let interruption = Interruption()
        let follower = Follower(source, types: types, to: try to.target(), shouldContinue: { interruption.isAbsent })
        let publisher = follower.publisher()
        defer { publisher.close() }
        let database = try FollowedDatabase(source, types: types)
        for (table, reason) in database.unusable.sorted(by: { $0.key < $1.key }) {
            Console.complain("not compared: \(table): \(reason)")
        }
        for table in database.tables {
            let comparison = try follower.compare(table, database, publisher, differs: differs)
            Console.say(Follower.words(comparison, table))
        }
        return database.unusable.count
    }

    /// The most differences that are listed.
    private static let shown = 100
}

extension CommandFailure {
    /// Why a source can't be looked at.
    /// - Throws: that it was interrupted.
    fileprivate init(looking error: any Error) throws {
        if error is Interruption.Ended { throw error }
        self.init(source: error)
    }
}
