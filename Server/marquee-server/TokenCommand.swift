import ArgumentParser
import Foundation
import MarqueeAccess
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTLS

/// `marquee-server token`
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list and revoke clients' tokens.",
        discussion: """
            The file keeps hashes, never tokens. A server that runs with --tokens reads it again when it changes: a token \
            that is revoked ends its connections within seconds.

              marquee-server token new importer --file tokens.yaml --scope 'publish *' --scope 'read *' \
            --output importer.token
              marquee-server token new ana --file tokens.yaml --user ana --expires 90d --output ana.token
              marquee-server token list --file tokens.yaml
              marquee-server token revoke ana --file tokens.yaml

            SCOPES
              read SCREEN       seeing a screen: home, detail/*, *
              search            searching
              favorites         changing one's own favorites
              collection NAME   changing one's own collection: watched, *
              publish WHAT      publishing records of a type, or list/NAME, page/ID, pool/NAME, source/NAME, :programme, :types, *
            """,
        subcommands: [TokenNewCommand.self, TokenListCommand.self, TokenRevokeCommand.self])
}

struct TokenFileOptions: ParsableArguments {
    @Option(name: .customLong("file"), help: ArgumentHelp("The file with the tokens' hashes.", valueName: "path"))
    var path: String

    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("--file is empty") }
    }

    func read() throws(CommandFailure) -> TokenFile { try TokenFile.read(path, wrong: .badData) }

    /// Changes the file while no other process does.
    /// - Parameter creating: whether a missing file counts as one without tokens.
    func change(creating: Bool, _ change: (inout TokenFile) throws -> Void) throws {
        do { try TokenFile.change(path, creating: creating, change) } catch let problem as TokenFileProblem {
            throw CommandFailure(problem, wrong: .badData)
        }
    }
}

extension TokenFile {
    /// - Parameter wrong: the exit code for a file that can't be understood.
    static func read(_ path: String, wrong: CommandFailure.Code) throws(CommandFailure) -> TokenFile {
        do throws(TokenFileProblem) { return try TokenFile(path: path) } catch {
            throw CommandFailure(error, wrong: wrong)
        }
    }
}

extension CommandFailure {
    /// - Parameter wrong: the exit code for a file that can't be understood.
    fileprivate init(_ problem: TokenFileProblem, wrong: Code) {
        let code: Code =
            switch problem.code {
            case .invalid: wrong
            case .missing: .noInput
            case .forbidden: .noPermission
            case .busy: .temporary
            case .io: .inputOutput
            }
        self.init(code, problem.description)
    }
}

/// `marquee-server token new`
struct TokenNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a token, and print it: it can't be shown again.")

    /// The scopes that a user of an app needs.
    static let standardScopes = ["read *", "search", "collection *"]

    @Argument(help: "A name for it, by which it is listed and revoked.")
    var name: String

    @OptionGroup var file: TokenFileOptions

    @Option(help: ArgumentHelp("The user that it authenticates. (default: none, for a program)", valueName: "name"))
    var user: String?

    @Option(
        name: .customLong("scope"),
        help: ArgumentHelp(
            "What it allows; may be repeated. (default: \(standardScopes.joined(separator: ", ")))", valueName: "rule"))
    var scopes: [String] = []

    @Option(
        name: .customLong("claim"),
        help: ArgumentHelp(
            "A claim about its reader, for the programme's audiences; repeat it for more claims or values.",
            valueName: "name=value"))
    var claims: [String] = []

    @Option(
        help: ArgumentHelp(
            "Its expiry: a number of days or hours, such as 90d or 12h, or a time, such as 2027-01-31T12:00:00Z. "
                + "(default: never)", valueName: "when"),
        transform: { try TokenNewCommand.expiry($0, now: Date()) })
    var expires: Date?

    @Option(
        help: ArgumentHelp(
            "Write the token to a new file that only its owner can read, instead of printing it.", valueName: "file"))
    var output: String?

    func validate() throws {
        if let user,
            let refusal = CatalogueBounds.refusal(of: user, "--user", limit: CatalogueBounds.userName)
        {
            throw ValidationError(refusal)
        }
        if output?.isEmpty == true { throw ValidationError("--output is empty") }
    }

    /// - Throws: `ValidationError` unless it is a number of days, hours or minutes, or a future time.
    static func expiry(_ text: String, now: Date) throws -> Date {
        if let unit = text.last, let seconds = ["d": 86_400.0, "h": 3_600.0, "m": 60.0][String(unit)],
            let number = UInt32(text.dropLast()), (1...100_000).contains(number)
        {
            return now.addingTimeInterval(Double(number) * seconds)
        }
        guard let date = Date(written: text) else {
            throw ValidationError("--expires is 90d, 12h, 30m or a time such as 2027-01-31T12:00:00Z")
        }
        guard date > now else { throw ValidationError("--expires is in the past") }
        return date
    }

    /// The values of each claim.
    private func values() throws -> [String: Claims.Value] {
        var texts: [String: [String]] = [:]
        for claim in claims {
            let parts = claim.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ValidationError("--claim is a name and a value, such as plan=plus") }
            texts[parts[0], default: []].append(parts[1])
        }
        return texts.mapValues { $0.count == 1 ? Claims.Value(text: $0[0]) : Claims.Value(texts: $0) }
    }

    func run() throws {
        let values = try values()
        let allowed: Scopes
        do throws(ScopeMistake) { allowed = try Scopes(scopes.isEmpty ? Self.standardScopes : scopes) } catch {
            throw ValidationError(error.description)
        }
        let (token, hash) = Token.make()
        // Written first, so that no token is added that nobody has.
        let written = try output.map { path throws(CommandFailure) in try NewSecretFile(path, token) }
        do {
            try file.change(creating: true) { tokens in
                do throws(TokenFileProblem) {
                    try tokens.add(
                        TokenFile.Entry(
                            name: name, user: user, hash: hash, scopes: allowed, expires: expires,
                            claims: try TokenFile.claims(values, of: name)))
                } catch {
                    throw CommandFailure(.usage, error.description)
                }
            }
        } catch {
            written?.remove()
            throw error
        }
        // Messages go to standard error, so the token alone can go to a file.
        let place = output.map { "; its token is in \($0)" } ?? "; its token can't be shown again"
        Console.complain("'\(name)' may \(allowed.texts.joined(separator: ", "))\(place)", .notice)
        if output == nil {
            Console.say(token)
            if let warning = PrivateFile.warning(descriptor: STDOUT_FILENO) {
                Console.complain("\(warning); --output makes a file that only its owner can read")
            }
        }
    }
}

/// `marquee-server token list`
struct TokenListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tokens: name, user, when they end, what they allow, and their claims.")

    @OptionGroup var file: TokenFileOptions

    func run() throws {
        let tokens = try file.read()
        let now = Date()
        let rows = tokens.entries.map { entry in
            let end = entry.expires.map { "\(entry.hasExpired(at: now) ? "ended" : "ends") \($0.ISO8601Format())" }
            let claims = entry.claims.isEmpty ? "" : "; \(entry.claims.texts.joined(separator: ", "))"
            return [entry.name, entry.user ?? "-", end ?? "-", entry.scopes.texts.joined(separator: ", ") + claims]
        }
        for line in Columns.lines(rows) { Console.say(line) }
        if rows.isEmpty { Console.complain("there are no tokens in \(file.path)") }
    }
}

/// `marquee-server token revoke`
struct TokenRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a token: its connections are closed within seconds.")

    @Argument(help: "The token's name.")
    var name: String

    @Flag(help: "Revoke a JSON Web Token instead: NAME is its id, the claim jti.")
    var jwt = false

    @OptionGroup var file: TokenFileOptions

    func run() throws {
        try file.change(creating: jwt) { tokens in
            if jwt {
                do throws(TokenFileProblem) { try tokens.revoke(jwt: name) } catch {
                    throw CommandFailure(.usage, error.description)
                }
            } else if !tokens.remove(name) {
                throw CommandFailure(.noInput, "there is no token '\(name)' in \(file.path); 'token list' lists them")
            }
        }
        Console.say("'\(name)' is revoked")
    }
}
