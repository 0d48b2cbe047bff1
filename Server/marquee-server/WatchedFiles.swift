import Foundation
import MarqueeAccess
import MarqueeAdmin
import MarqueeTLS

/// Files that a server depends on, read again when one of them has changed, or on request.
struct WatchedFiles: Sendable {
    /// The outcome of reading them.
    enum Outcome: Sendable {
        /// Their content is in force: the line to log, or `nil` for none.
        case inForce(String?)
        /// Why they can't be used, and what is in force instead.
        /// - Parameter nothingHolds: whether nothing is in force.
        case unusable(String, nothingHolds: Bool = false)
    }

    /// How often the files are checked for a change.
    private static let checkInterval = Duration.seconds(1)
    /// Checks until files that can't be used are read again, because the reason may have passed.
    private static let checksUntilRetry = 60

    /// The name of their purpose in metrics.
    let name: String
    let paths: [String]
    /// How often to read keys at an address, which has no file to watch; `nil` for files.
    var interval: Duration?
    let health: FileHealth
    /// The expiry; `nil` for never.
    private let ends: @Sendable () -> Date?
    private let reading: @Sendable () async -> Outcome

    /// The content of the files must be in force already.
    init(
        _ name: String, _ paths: [String], interval: Duration? = nil, health: FileHealth,
        ends: @escaping @Sendable () -> Date? = { nil }, reading: @escaping @Sendable () async -> Outcome
    ) {
        self.name = name
        self.paths = paths
        self.interval = interval
        self.health = health
        self.ends = ends
        self.reading = reading
        health.isFine(name, ends: ends())
    }

    /// Reads the files and reports the outcome.
    /// - Parameter isRetry: whether nothing has changed since the last time: the same failure isn't reported twice.
    func read(isRetry: Bool = false) async {
        switch await reading() {
        case .inForce(let words):
            health.isFine(name, ends: ends())
            if let words { Console.say(words) }
        case .unusable(let words, let nothingHolds):
            let isNews = health.isUnusable(name, words, nothingHolds: nothingHolds)
            if isNews || !isRetry { Console.complain(words, .error) }
        }
    }

    /// Reads the files each time one of them has changed, until the task is cancelled.
    func watch() async {
        if let interval { return await readEvery(interval) }
        var watches = paths.map { ($0, FileWatch(readNow: FileStamp(path: $0))) }
        var checks = 0
        var notice = ExpiryNotice()
        while (try? await Task.sleep(for: Self.checkInterval)) != nil {
            var hasChanged = false
            for index in watches.indices where watches[index].1.hasChanged(now: FileStamp(path: watches[index].0)) {
                hasChanged = true
            }
            checks = health.isUnusable(name) ? checks + 1 : 0
            let isRetry = !hasChanged && checks >= Self.checksUntilRetry
            if hasChanged || isRetry {
                await read(isRetry: isRetry)
                checks = 0
            }
            if let ends = ends(), let words = notice.words(ends: ends, now: Date()) {
                Console.complain("\(paths.first ?? name): \(words)", .error)
            }
        }
    }
}

extension WatchedFiles {
    /// The longest pause before a failed read is tried again.
    static let longestPause = Duration.seconds(60)

    /// Reads at intervals; while that fails, again after one second, two, four, …
    private func readEvery(_ interval: Duration) async {
        var failures = health.isUnusable(name) ? 1 : 0
        while (try? await Task.sleep(for: Self.pause(interval, afterFailures: failures))) != nil {
            await read(isRetry: failures > 0)
            failures = health.isUnusable(name) ? failures + 1 : 0
        }
    }

    static func pause(_ interval: Duration, afterFailures failures: Int) -> Duration {
        guard failures > 0 else { return interval }
        return min(.seconds(1 << min(failures - 1, 6)), longestPause, interval)
    }

    /// A certificate, its key, and the authorities of clients.
    init(_ tls: TLSServer, name: String = "tls", _ health: FileHealth) {
        self.init(name, tls.files.paths, health: health, ends: { tls.ends }) {
            do throws(TLSProblem) {
                try tls.reload()
                return .inForce("\(tls.files.certificate.chain): in force for new connections")
            } catch {
                return .unusable("\(error.description); the previous certificate stays in force")
            }
        }
    }

    /// Lists of revoked certificates.
    init(_ lists: RevocationLists, _ health: FileHealth) {
        self.init("tls-crl", [lists.path, lists.authorities], health: health, ends: { lists.ends }) {
            do throws(RevocationProblem) {
                let count = try lists.reload()
                return .inForce("\(lists.path): \(counted(count, "revoked certificate")) in force")
            } catch {
                return .unusable("\(error.description); the previous lists stay in force until they end")
            }
        }
    }

    /// The keys of an issuer of JSON Web Tokens. It reads them this way, too, when a token's key isn't known.
    init(_ name: String, _ issuer: JWTIssuer, _ health: FileHealth) {
        let path: String? = if case .file(let path) = issuer.source { path } else { nil }
        self.init(name, path.map { [$0] } ?? [], interval: path == nil ? JWTIssuer.interval : nil, health: health) {
            do throws(JWTProblem) {
                let isNews = path != nil || health.isUnusable(name)
                let count = try await issuer.refresh()
                return .inForce(isNews ? "\(issuer.source): \(counted(count, "key")) in force" : nil)
            } catch {
                guard !issuer.hasKeys else {
                    return .unusable("\(error.description); the previous keys stay in force")
                }
                return .unusable(
                    "\(error.description); no token of \(issuer.policy.issuer) is accepted until there are keys, which "
                        + "are asked for at least every \(Self.longestPause.components.seconds) s", nothingHolds: true)
            }
        }
        issuer.read { [self] in await read(isRetry: true) }
    }

    /// The file that lists issuers. It is only read at the start.
    init(_ path: String, _ file: JWTIssuersFile, _ health: FileHealth) {
        self.init("jwt-issuers", [path], health: health) {
            do throws(JWTProblem) {
                guard try file.isCurrent(at: path) else {
                    return .unusable("\(path) has changed: it takes a restart to put the change in force")
                }
                return .inForce(nil)
            } catch {
                return .unusable("\(error.description); the issuers that it listed at the start stay")
            }
        }
    }

    /// Tokens. A file that is gone takes its tokens along: an operator who removes it wants that, or notices at once.
    init(_ path: String, _ register: TokenRegister, _ health: FileHealth) {
        self.init("tokens", [path], health: health) {
            do throws(TokenFileProblem) {
                let file = try register.read(path)
                let now = Date()
                let count = file.entries.count { $0.expires.map { $0 > now } ?? true }
                return .inForce("\(path): \(counted(count, "token")) in force")
            } catch {
                guard error.code == .missing else {
                    return .unusable("\(error.description); the previous tokens stay in force")
                }
                return .unusable(
                    "\(error.description); no token and no certificate is accepted until it is back, and connections "
                        + "that used one are closed")
            }
        }
    }
}
