import ArgumentParser
import MarqueeAccess
import MarqueeServer

/// Which JSON Web Tokens the server accepts.
struct JWTOptions: ParsableArguments {
    @Option(
        name: .customLong("jwt-keys"),
        help: ArgumentHelp(
            """
            Admit clients by JSON Web Tokens that are signed with one of these keys: a JWK set, as a file or at an https \
            address. A file is read again when it changes, an address every \
            \(JWTIssuer.interval.components.seconds / 60) minutes, both on SIGHUP.
            """, valueName: "file|url"),
        transform: { text in
            do throws(JWTProblem) { return try JWTKeySource(text) } catch {
                throw ValidationError("--jwt-keys: \(error.description)")
            }
        })
    var keys: JWTKeySource?

    @Option(
        name: .customLong("jwt-issuer"),
        help: ArgumentHelp("Who has to have issued them, the claim iss.", valueName: "text"))
    var issuer: String?

    @Option(
        name: .customLong("jwt-audience"),
        help: ArgumentHelp("Whom they have to be meant for, among the claim aud.", valueName: "text"))
    var audience: String?

    @Option(
        name: .customLong("jwt-algorithm"),
        help: ArgumentHelp(
            "How they may be signed; may be repeated. (default: \(JWTPolicy.algorithmNames.joined(separator: ", ")))",
            valueName: "name"))
    var algorithms: [String] = []

    @Option(
        name: .customLong("jwt-user-claim"), help: ArgumentHelp("The claim that names the user.", valueName: "claim"))
    var userClaim = "sub"

    @Option(
        name: .customLong("jwt-scope-claim"),
        help: ArgumentHelp(
            "The claim that lists scopes, with a colon for the space: read:home, favorites.", valueName: "claim"))
    var scopeClaim = "scope"

    @Option(
        name: .customLong("jwt-scope"),
        help: ArgumentHelp(
            "What a token without that claim allows; may be repeated. (default: "
                + "\(TokenNewCommand.standardScopes.joined(separator: ", ")))", valueName: "rule"))
    var scopes: [String] = []

    @Option(
        name: .customLong("jwt-skew"),
        help: ArgumentHelp("By how much the issuer's clock may differ.", valueName: "seconds"))
    var skew = 60

    func validate() throws {
        if (keys == nil) != (issuer == nil) || (keys == nil) != (audience == nil) {
            throw ValidationError("--jwt-keys, --jwt-issuer and --jwt-audience go together")
        }
        if let unknown = algorithms.first(where: { !JWTPolicy.algorithmNames.contains($0) }) {
            throw ValidationError(
                "--jwt-algorithm is one of \(JWTPolicy.algorithmNames.joined(separator: ", ")), not \(unknown)")
        }
        guard JWTPolicy.skews.contains(skew) else {
            throw ValidationError("--jwt-skew is a number of seconds from 0 to \(JWTPolicy.skews.upperBound)")
        }
        do throws(ScopeMistake) { _ = try Scopes(scopes) } catch {
            throw ValidationError("--jwt-scope: \(error.description)")
        }
    }

    /// Reads the keys.
    /// - Returns: `nil` if no such tokens are accepted.
    func tokens() async throws(CommandFailure) -> JWTIssuer? {
        guard let keys, let issuer, let audience else { return nil }
        let standard: Scopes
        do throws(ScopeMistake) {
            standard = try Scopes(scopes.isEmpty ? TokenNewCommand.standardScopes : scopes)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        var policy = JWTPolicy(issuer: issuer, audience: audience, standardScopes: standard)
        if !algorithms.isEmpty { policy.algorithms = Set(algorithms) }
        policy.userClaim = userClaim
        policy.scopeClaim = scopeClaim
        policy.skew = skew
        do throws(JWTProblem) { return try await JWTIssuer(policy, source: keys) } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }
}
