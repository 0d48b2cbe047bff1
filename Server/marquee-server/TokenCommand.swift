import ArgumentParser
import Foundation
import MarqueeAccess
import MarqueeServer

/// `marquee-server token`
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list and revoke the tokens that clients prove themselves with.",
        discussion: """
            The file keeps hashes, never tokens. A server that runs with --tokens reads it again when it changes: a token \
            that is revoked ends its connections within seconds.

              marquee-server token new importer --file tokens.yaml --scope 'publish *' --scope 'read *' > importer.token
              marquee-server token new ana --file tokens.yaml --user ana --expires 90d > ana.token
              marquee-server token list --file tokens.yaml
              marquee-server token revoke ana --file tokens.yaml

            SCOPES
              read SCREEN       seeing a screen: home, detail/*, *
              search            searching
              favorites         changing one's own favorites
              collection NAME   changing one's own collection: watched, *
              publish WHAT      publishing records of a type, or list/NAME, page/ID, pool/NAME, :programme, :types, *
            """,
        subcommands: [TokenNewCommand.self, TokenListCommand.self, TokenRevokeCommand.self])
}

struct TokenFileOptions: ParsableArguments {
    @Option(name: .customLong("file"), help: ArgumentHelp("The file with the tokens' hashes.", valueName: "path"))
    var path: String

    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("--file is empty") }
    }

    /// - Parameter mayBeMissing: whether a missing file counts as one without tokens.
    func read(mayBeMissing: Bool) throws(CommandFailure) -> TokenFile {
        if mayBeMissing, !FileManager.default.fileExists(atPath: path) { return TokenFile() }
        return try TokenFile.read(path, wrong: .badData)
    }

    func write(_ file: TokenFile) throws(CommandFailure) {
        do throws(TokenFileProblem) { try file.write(to: path) } catch {
            throw CommandFailure(.inputOutput, error.description)
        }
    }
}

extension TokenFile {
    /// - Parameter wrong: the exit code for a file that can't be understood.
    static func read(_ path: String, wrong: CommandFailure.Code) throws(CommandFailure) -> TokenFile {
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CommandFailure(.noInput, "\(path) doesn't exist or can't be read")
        }
        do throws(TokenFileProblem) { return try TokenFile(path: path) } catch {
            throw CommandFailure(wrong, error.description)
        }
    }
}

/// `marquee-server token new`
struct TokenNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a token, and print it: it can't be shown again.")

    /// What a user of an app needs.
    static let standardScopes = ["read *", "search", "collection *"]

    @Argument(help: "A name for it, by which it is listed, logged and revoked.")
    var name: String

    @OptionGroup var file: TokenFileOptions

    @Option(help: ArgumentHelp("The user that it proves. (default: none, for a program)", valueName: "name"))
    var user: String?

    @Option(
        name: .customLong("scope"),
        help: ArgumentHelp(
            "What it allows; may be repeated. (default: \(standardScopes.joined(separator: ", ")))", valueName: "rule"))
    var scopes: [String] = []

    @Option(
        help: ArgumentHelp(
            "When it ends: a number of days or hours, such as 90d or 12h, or a time, such as 2027-01-31T12:00:00Z. "
                + "(default: never)", valueName: "when"),
        transform: { try TokenNewCommand.expiry($0, now: Date()) })
    var expires: Date?

    /// - Throws: `ValidationError` for anything else.
    static func expiry(_ text: String, now: Date) throws -> Date {
        if let unit = text.last, let seconds = ["d": 86_400.0, "h": 3_600.0][String(unit)],
            let number = UInt32(text.dropLast()), (1...100_000).contains(number)
        {
            return now.addingTimeInterval(Double(number) * seconds)
        }
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw ValidationError("--expires is 90d, 12h or a time such as 2027-01-31T12:00:00Z")
        }
        guard date > now else { throw ValidationError("--expires is in the past") }
        return date
    }

    func run() throws {
        let allowed: Scopes
        do throws(ScopeMistake) { allowed = try Scopes(scopes.isEmpty ? Self.standardScopes : scopes) } catch {
            throw ValidationError(error.description)
        }
        var tokens = try file.read(mayBeMissing: true)
        let (token, hash) = Token.make()
        do throws(TokenFileProblem) {
            try tokens.add(
                TokenFile.Entry(name: name, user: user, hash: hash, scopes: allowed, expires: expires))
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        try file.write(tokens)
        // What is said goes to standard error, so that the token alone can go to a file.
        Console.complain("'\(name)' may \(allowed.texts.joined(separator: ", ")); its token can't be shown again")
        Console.say(token)
    }
}

/// `marquee-server token list`
struct TokenListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tokens: name, user, when they end, and what they allow.")

    @OptionGroup var file: TokenFileOptions

    func run() throws {
        let tokens = try file.read(mayBeMissing: false)
        let now = Date()
        let rows = tokens.entries.map { entry in
            let end = entry.expires.map { "\(entry.hasExpired(at: now) ? "ended" : "ends") \($0.ISO8601Format())" }
            return [entry.name, entry.user ?? "-", end ?? "-", entry.scopes.texts.joined(separator: ", ")]
        }
        for line in Columns.lines(rows) { Console.say(line) }
        if rows.isEmpty { Console.complain("there are no tokens in \(file.path)") }
    }
}

/// `marquee-server token revoke`
struct TokenRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a token: whoever has it is disconnected within seconds.")

    @Argument(help: "The token's name.")
    var name: String

    @Flag(help: "Revoke a JSON Web Token instead: NAME is its id, the claim jti.")
    var jwt = false

    @OptionGroup var file: TokenFileOptions

    func run() throws {
        var tokens = try file.read(mayBeMissing: jwt)
        if jwt {
            do throws(TokenFileProblem) { try tokens.revoke(jwt: name) } catch {
                throw CommandFailure(.usage, error.description)
            }
        } else if !tokens.remove(name) {
            throw CommandFailure(.noInput, "there is no token '\(name)' in \(file.path); 'token list' lists them")
        }
        try file.write(tokens)
        Console.say("'\(name)' is revoked")
    }
}
