import ArgumentParser
import Foundation
import MarqueeAdmin
import MarqueeHTTP
import MarqueeTLS
import NIOCore
import NIOHTTP1

/// `marquee-server sessions`
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List and end the sessions of a running server.",
        discussion: """
            These commands use the server's admin address (--admin). Where it requires a token, listing needs the role 'read', \
            ending the role 'admin'.

              marquee-server sessions list
              marquee-server sessions end --user ana
              marquee-server sessions end --connection 42 --admin server.example:7421 --token-file admin.token

            Clients whose sessions are ended connect again after some seconds, unless their token was revoked before. \
            Clients of a relay are connected to the relay: ask the relay.
            """,
        subcommands: [SessionsListCommand.self, SessionsEndCommand.self])
}

/// `marquee-server sessions list`
struct SessionsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List sessions, those that need attention first.",
        discussion: """
            A line for each: the connection's number, user, address, state, age, how far it is behind, and what it shows.
            """)

    @OptionGroup var place: AdminPlaceOptions

    @Option(help: "The order.")
    var sort = SessionPage.Order.lag

    @Option(
        help: ArgumentHelp("The most sessions, up to \(PageQuery.limits.upperBound).", valueName: "n"))
    var limit = PageQuery.standardLimit

    @Option(help: ArgumentHelp("How many to skip at the beginning.", valueName: "n"))
    var offset = 0

    @Flag(help: "Print the server's answer, in JSON.")
    var json = false

    func validate() throws {
        guard PageQuery.limits.contains(limit) else {
            throw ValidationError(
                "--limit is a number from \(PageQuery.limits.lowerBound) to \(PageQuery.limits.upperBound)")
        }
        guard PageQuery.offsets.contains(offset) else {
            throw ValidationError("--offset is a number from 0 to \(PageQuery.offsets.upperBound)")
        }
    }

    func run() async throws {
        let body = try await place.ask(.GET, "/sessions?sort=\(sort.rawValue)&limit=\(limit)&offset=\(offset)")
        if json { return Console.say(String(decoding: body, as: UTF8.self).trimmingCharacters(in: .newlines)) }
        guard let page = try? JSONDecoder().decode(SessionPage.self, from: body) else { throw place.foreignAnswer }
        for line in Self.lines(page) { Console.say(line) }
    }

    /// The table, and how many sessions there are.
    static func lines(_ page: SessionPage) -> [String] {
        let head = ["CONNECTION", "USER", "ADDRESS", "STATE", "AGE", "LAG", "SCREENS"]
        let rows = page.sessions.map { row in
            [
                "\(row.connection)", row.user.map(LogLine.word) ?? "-", LogLine.word(row.address),
                LogLine.word(row.state), seconds(row.ageSeconds), seconds(row.lagSeconds),
                row.screens.map(LogLine.word).joined(separator: " "),
            ]
        }
        let sum =
            page.total == rows.count
            ? counted(page.total, "session")
            : "\(rows.count) of \(counted(page.total, "session")); --limit and --offset show others"
        return (rows.isEmpty ? [] : Columns.lines([head] + rows)) + [sum]
    }

    private static func seconds(_ value: Double) -> String {
        let style = FloatingPointFormatStyle<Double>(locale: Locale(identifier: "en_US_POSIX"))
        return value.formatted(style.precision(.fractionLength(0...1)).grouping(.never)) + " s"
    }
}

extension SessionPage.Order: ExpressibleByArgument {}

/// `marquee-server sessions end`
struct SessionsEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End the sessions of a user, or that of one connection.",
        discussion: """
            Also exits with 0 if there is no such session (any more). To keep somebody out, revoke the token first.
            """)

    @Option(help: ArgumentHelp("End all sessions of this user.", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("End the session of the connection with this number.", valueName: "number"))
    var connection: UInt64?

    @OptionGroup var place: AdminPlaceOptions

    func validate() throws {
        guard (user == nil) != (connection == nil) else {
            throw ValidationError("either --user or --connection says which sessions to end")
        }
        if user?.isEmpty == true { throw ValidationError("--user is empty") }
    }

    func run() async throws {
        let body = try await place.ask(.DELETE, "/sessions?\(query)")
        guard let ended = try? JSONDecoder().decode([String: Int].self, from: body)["ended"] else {
            throw place.foreignAnswer
        }
        Console.say("\(counted(ended, "session")) ended")
    }

    var query: String {
        if let connection { return "connection=\(connection)" }
        return "user=" + ((user ?? "").addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")
    }

    /// The characters that mean nothing in an address (RFC 3986, 2.3).
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// The admin address of a running server, and the token that its operator presents.
struct AdminPlaceOptions: ParsableArguments {
    private static let standard = ListenAddress(host: "127.0.0.1", port: 7_421)
    /// More than a page of sessions takes, each showing as much as it may.
    private static let maximumBytes = 64 << 20
    /// Longer than a server takes to answer that it is too busy.
    private static let patience = TimeAmount.seconds(15)

    @Option(
        name: .customLong("admin"),
        help: ArgumentHelp(
            "The server's admin address. (default: \(standard))", valueName: "host:port"),
        transform: { try ListenAddress(parsing: $0) })
    var address = standard

    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp(
            "The file with the token, on its first line. (environment: \(TokenVariable.admin), the token itself)",
            valueName: "file"))
    var tokenFile: String?

    @Flag(help: "Use TLS for this machine too; other hosts always use it.")
    var tls = false

    @Option(
        name: .customLong("tls-ca"),
        help: ArgumentHelp(
            "PEM file of CA certificates to trust for the server instead of the system's.", valueName: "file"))
    var authorities: String?

    @Flag(
        name: .customLong("allow-unencrypted"),
        help: "Ask another machine without TLS: anyone on the network path can read the token and use it.")
    var allowsUnencrypted = false

    func validate() throws {
        if allowsUnencrypted, tls || authorities != nil {
            throw ValidationError("--allow-unencrypted and the options for TLS exclude each other")
        }
        guard address.port > 0 else { throw ValidationError("--admin needs the port of a server, not 0") }
    }

    /// The prefix of all its URLs.
    var base: String {
        let security = TransportSecurity.chosen(
            for: address.host, wantsTLS: tls, TLSOptions(authorities: authorities),
            allowsUnencrypted: allowsUnencrypted)
        return (security == .unencrypted ? "http://" : "https://") + address.description
    }

    /// Sends a request.
    /// - Returns: the body of the answer.
    /// - Throws: `CommandFailure`, which says what to do.
    func ask(_ method: HTTPMethod, _ target: String) async throws(CommandFailure) -> Data {
        var headers: HTTPHeaders = [:]
        if let token = try token() { headers.add(name: "Authorization", value: "Bearer \(token)") }
        let client = HTTPClient(maximumBytes: Self.maximumBytes, timeout: Self.patience, authorities: authorities)
        let answer: HTTPClient.Answer
        do throws(HTTPProblem) { if authorities != nil { try client.checkAuthorities() } } catch {
            throw CommandFailure(.noInput, error.description)
        }
        do throws(HTTPProblem) {
            answer = try await client.send(method, try HTTPAddress(base + target), headers: headers)
        } catch {
            throw CommandFailure(
                .unavailable, "\(error.description); --admin takes the address that the server was given with --admin")
        }
        let body = Data(answer.body.readableBytesView)
        if let failure = Self.failure(
            status: answer.status.code, body, hasToken: headers.contains(name: "Authorization"))
        {
            throw failure
        }
        return body
    }

    private func token() throws(CommandFailure) -> String? {
        guard let tokenFile else {
            return try TokenVariable.value(TokenVariable.admin, in: ProcessInfo.processInfo.environment)
        }
        Console.warn(about: tokenFile)
        do throws(SecretFileProblem) { return try SecretFile.read(tokenFile) } catch {
            throw CommandFailure(.noInput, "the token can't be read: \(error.description)")
        }
    }

    /// The failure that an answer means; `nil` for none.
    static func failure(status: UInt, _ body: Data, hasToken: Bool) -> CommandFailure? {
        let said = (try? JSONDecoder().decode([String: String].self, from: body)["error"]).map(LogLine.phrase)
        switch status {
        case 200: return nil
        case 401 where hasToken:
            return CommandFailure(.noPermission, "the server doesn't know the token, or no longer")
        case 401:
            return CommandFailure(
                .noPermission,
                "the server wants a token: give --token-file, or put the token into \(TokenVariable.admin)")
        case 403: return CommandFailure(.noPermission, said ?? "the token doesn't allow this")
        case 421:
            return CommandFailure(
                .noPermission, "without tokens, the server only answers its own machine: run this there, as 127.0.0.1")
        case 503: return CommandFailure(.temporary, "\(said ?? "the server can't answer now"); try again")
        case 400: return CommandFailure(.badData, said ?? "the server refuses the request")
        default:
            return CommandFailure(.unavailable, "the server answers with \(status): is that its admin address?")
        }
    }

    /// The failure for an answer that no admin address gives.
    var foreignAnswer: CommandFailure {
        CommandFailure(.unavailable, "\(base) doesn't answer like a server's admin address")
    }
}
