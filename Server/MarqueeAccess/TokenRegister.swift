package import Foundation
import MarqueeScreens
import MarqueeServer
import MarqueeTLS
import Synchronization

/// The tokens and certificates of a file that can be read again while the server runs. Thread safe.
package final class TokenRegister: Sendable {
    private struct State {
        var file = TokenFile()
        /// The grants of the file's entries. A changed entry gets a new grant, which ends identities with the old one.
        var grants: [Grant.Source: Grant] = [:]
    }

    private let state: Mutex<State>
    private let reading = Mutex(())
    private let clock: @Sendable () -> Date

    /// - Parameter clock: the time of day.
    package init(_ file: TokenFile = TokenFile(), clock: @escaping @Sendable () -> Date = { Date() }) {
        state = Mutex(Self.state(file, before: State()))
        self.clock = clock
    }

    private static func state(_ file: TokenFile, before: State) -> State {
        var state = State(file: file)
        func keep(_ source: Grant.Source, _ scopes: Scopes, ends: Date?, _ claims: Claims, isSame: Bool) {
            let fresh = Grant(scopes, from: source, ends: ends.map(\.unixMilliseconds), claims: claims)
            // Unchanged entries keep their grant, so their sessions stay connected.
            state.grants[source] = isSame && before.grants[source] == fresh ? before.grants[source] : fresh
        }
        let tokens = Dictionary(before.file.entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for entry in file.entries {
            let isSame = tokens[entry.name].map { $0.hash.equals(entry.hash) && $0.user == entry.user } ?? false
            keep(.token(entry.name), entry.scopes, ends: entry.expires, entry.claims, isSame: isSame)
        }
        for entry in file.certificates {
            let isSame = before.file.certificates.contains {
                $0.name == entry.name && $0.subject == entry.subject && $0.user == entry.user
            }
            keep(.certificate(entry.name), entry.scopes, ends: nil, entry.claims, isSame: isSame)
        }
        return state
    }

    /// Replaces the file. Clients whose token or certificate is no longer in it, or has other scopes or claims now, are
    /// disconnected within seconds.
    package func replace(by file: TokenFile) { state.withLock { $0 = Self.state(file, before: $0) } }

    /// Reads a file and replaces the current one with it. If the file is missing, its tokens and certificates are gone
    /// but its revocations remain; a file that can't be read or parsed changes nothing.
    package func read(_ path: String) throws(TokenFileProblem) -> TokenFile {
        // One read at a time, so that an older one never replaces a newer one.
        try reading.withLock { _ throws(TokenFileProblem) in
            do throws(TokenFileProblem) {
                let file = try TokenFile(path: path)
                replace(by: file)
                return file
            } catch {
                if error.code == .missing {
                    state.withLock { $0 = Self.state($0.file.withoutEntries, before: $0) }
                }
                throw error
            }
        }
    }

    /// - Returns: `nil` if the token isn't known, or has expired.
    func identity(token: String) -> Identity? {
        let now = clock()
        return state.withLock { state in
            guard let entry = state.file.entry(for: token), !entry.hasExpired(at: now),
                let grant = state.grants[.token(entry.name)]
            else { return nil }
            return Identity(user: entry.user, grant: grant)
        }
    }

    /// - Parameter certificate: the certificate in DER; its client has proved possession of its key.
    /// - Returns: `nil` if the file doesn't list it.
    func identity(certificate: [UInt8]) -> Identity? {
        guard let names = CertificateNames(der: certificate) else { return nil }
        return state.withLock { state in
            guard let entry = state.file.certificates.first(where: { names.contains($0.subject) }),
                let grant = state.grants[.certificate(entry.name)]
            else { return nil }
            return Identity(user: entry.user, grant: grant)
        }
    }

    /// The standing of a grant from this register.
    func standing(of grant: Grant) -> Standing {
        let now = clock().unixMilliseconds
        return state.withLock { $0.grants[grant.source] === grant } ? grant.standing(now: now) : .ended
    }

    /// - Parameter id: the id of a JSON Web Token, its claim `jti`.
    func hasRevoked(jwt id: String?) -> Bool {
        guard let id else { return false }
        return state.withLock { $0.file.revoked.contains(id) }
    }
}
