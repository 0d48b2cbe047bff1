import MarqueeAccess
import MarqueeTLS

/// Files that a server goes by, read again when one of them has changed, or on request.
struct WatchedFiles: Sendable {
    /// How often the files are checked for a change.
    private static let checkInterval = Duration.seconds(1)

    let paths: [String]
    /// How often to read what has no file; `nil` if there is nothing of that kind.
    var interval: Duration?
    /// Reads the files, and says what came of it.
    let read: @Sendable () async -> Void

    /// Reads the files each time one of them has changed, until the task is cancelled.
    func watch() async {
        if let interval {
            while (try? await Task.sleep(for: interval)) != nil { await read() }
            return
        }
        var watches = paths.map { ($0, FileWatch(readNow: FileStamp(path: $0))) }
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.checkInterval)
            var hasChanged = false
            for index in watches.indices where watches[index].1.hasChanged(now: FileStamp(path: watches[index].0)) {
                hasChanged = true
            }
            if hasChanged { await read() }
        }
    }
}

extension WatchedFiles {
    /// A certificate, its key, and the authorities of clients.
    init(_ tls: TLSServer) {
        self.init(paths: tls.files.paths) {
            do throws(TLSProblem) {
                try tls.reload()
                Console.say("\(tls.files.certificate.chain): in force for new connections")
            } catch {
                Console.complain("\(error.description); the previous certificate stays in force")
            }
        }
    }

    /// Keys for JSON Web Tokens.
    init(_ issuer: JWTIssuer) {
        let path: String? = if case .file(let path) = issuer.source { path } else { nil }
        self.init(paths: path.map { [$0] } ?? [], interval: path == nil ? JWTIssuer.interval : nil) {
            do throws(JWTProblem) {
                let count = try await issuer.refresh()
                if path != nil { Console.say("\(issuer.source): \(counted(count, "key")) in force") }
            } catch {
                Console.complain("\(error.description); the previous keys stay in force")
            }
        }
    }

    /// Tokens.
    init(_ path: String, _ register: TokenRegister) {
        self.init(paths: [path]) {
            do throws(TokenFileProblem) {
                let file = try TokenFile(path: path)
                register.replace(by: file)
                Console.say("\(path): \(counted(file.entries.count, "token")) in force")
            } catch {
                Console.complain("\(error.description); the previous tokens stay in force")
            }
        }
    }
}
