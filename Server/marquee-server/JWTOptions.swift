import ArgumentParser
import MarqueeAccess
import MarqueeServer

/// The JSON Web Tokens that the server accepts.
struct JWTOptions: ParsableArguments {
    @Option(
        name: .customLong("jwt-keys"),
        help: ArgumentHelp(
            """
            Admit clients by JSON Web Tokens that are signed with one of these keys: a JWK set, as a file or at an https \
            address. A file is read again when it changes, an address every \
            \(JWTIssuer.interval.components.seconds / 60) minutes and when a token's key isn't known, both on SIGHUP.
            """, valueName: "file|url"))
    var keys: String?

    @Option(
        name: .customLong("jwt-keys-ca"),
        help: ArgumentHelp(
            """
            Authorities to trust at that address, as PEM. (default: those of SSL_CERT_FILE, or the system's)
            """, valueName: "file"))
    var authorities: String?

    @Option(
        name: .customLong("jwt-issuer"),
        help: ArgumentHelp("The issuer that tokens must name, the claim iss.", valueName: "text"))
    var issuer: String?

    @Option(
        name: .customLong("jwt-audience"),
        help: ArgumentHelp("The audience that tokens must name, in the claim aud.", valueName: "text"))
    var audience: String?

    @Option(
        name: .customLong("jwt-algorithm"),
        help: ArgumentHelp(
            "Accepted signature algorithms; may be repeated. (default: \(JWTPolicy.algorithmNames.joined(separator: ", ")))",
            valueName: "name"))
    var algorithms: [String] = []

    @Option(
        name: .customLong("jwt-user-claim"),
        help: ArgumentHelp("The claim that names the user. (default: sub)", valueName: "claim"))
    var userClaim: String?

    @Option(
        name: .customLong("jwt-scope-claim"),
        help: ArgumentHelp(
            "The claim that lists scopes, with a colon for the space: read:home, favorites. (default: scope)",
            valueName: "claim"))
    var scopeClaim: String?

    @Option(
        name: .customLong("jwt-scope"),
        help: ArgumentHelp(
            "The scopes of a token without that claim; may be repeated. (default: "
                + "\(TokenNewCommand.standardScopes.joined(separator: ", ")); nothing with --jwt-scope-claim)",
            valueName: "rule"))
    var scopes: [String] = []

    @Option(
        name: .customLong("jwt-claim"),
        help: ArgumentHelp(
            "A claim that the programme's audiences may be judged by; may be repeated. (default: none)",
            valueName: "claim"))
    var claims: [String] = []

    @Option(
        name: .customLong("jwt-skew"),
        help: ArgumentHelp("Allowed skew of the issuer's clock. (default: 60)", valueName: "seconds"))
    var skew: Int?

    @Option(
        name: .customLong("jwt-issuers"),
        help: ArgumentHelp(
            "A YAML file of several issuers with their keys and settings, instead of the options above.",
            valueName: "file"))
    var issuersFile: String?

    /// Whether any such tokens are accepted.
    var areAccepted: Bool { keys != nil || issuersFile != nil }

    func validate() throws {
        if issuersFile != nil {
            let others: [Any?] = [keys, authorities, issuer, audience, userClaim, scopeClaim, skew]
            guard others.allSatisfy({ $0 == nil }), algorithms.isEmpty, scopes.isEmpty, claims.isEmpty
            else {
                throw ValidationError("--jwt-issuers and the other --jwt- options exclude each other")
            }
            return
        }
        if (keys == nil) != (issuer == nil) || (keys == nil) != (audience == nil) {
            throw ValidationError("--jwt-keys, --jwt-issuer and --jwt-audience go together")
        }
        _ = try given()
    }

    /// The issuer that the options describe; `nil` for none.
    private func given() throws(ValidationError) -> JWTIssuersFile.Entry? {
        let rules = scopes.isEmpty && scopeClaim == nil ? TokenNewCommand.standardScopes : scopes
        var policy = JWTPolicy(
            issuer: issuer ?? "", audience: audience ?? "",
            standardScopes: try Self.value("--jwt-scope") { try Scopes(rules) })
        if !algorithms.isEmpty { try Self.value("--jwt-algorithm") { try policy.accept(algorithms) } }
        try Self.value("--jwt-claim") { try policy.take(claims: claims) }
        if let skew { try Self.value("--jwt-skew") { try policy.allow(skew: skew) } }
        if let userClaim { policy.userClaim = userClaim }
        if let scopeClaim { policy.scopeClaim = scopeClaim }
        guard let keys else {
            guard authorities == nil else { throw ValidationError("--jwt-keys-ca needs --jwt-keys") }
            return nil
        }
        let source = try Self.value("--jwt-keys") { try JWTKeySource(keys, authorities: authorities) }
        return JWTIssuersFile.Entry(policy: policy, source: source)
    }

    /// Names the option in the error for a wrong value.
    private static func value<Value>(_ option: String, _ make: () throws -> Value) throws(ValidationError) -> Value {
        do { return try make() } catch { throw ValidationError("\(option): \(error)") }
    }

    /// The file of issuers, if there is one.
    func file() throws(CommandFailure) -> JWTIssuersFile? {
        guard let issuersFile else { return nil }
        do {
            return try JWTIssuersFile(path: issuersFile, standardScopes: try Scopes(TokenNewCommand.standardScopes))
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }

    /// The issuers whose tokens are accepted. Their keys haven't been read yet.
    func issuers(_ file: JWTIssuersFile?) throws(CommandFailure) -> [JWTIssuer] {
        let entries: [JWTIssuersFile.Entry]
        do throws(ValidationError) {
            if let file { entries = file.entries } else { entries = try [given()].compactMap { $0 } }
        } catch {
            throw CommandFailure(.usage, error.message)
        }
        return entries.map { JWTIssuer($0.policy, source: $0.source, say: { Console.complain($0) }) }
    }
}
