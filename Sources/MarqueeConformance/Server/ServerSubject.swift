import Synchronization

/// The server that is checked, and what the checks may use of it.
package struct ServerSubject: Sendable {
    package var host: String
    package var port: Int
    /// The screen that the checks look at.
    package var screen: String
    /// The user whose collections the checks change; `nil` for none.
    package var user: String?
    package var token: String?
    /// Whether the checks may publish: changes that name records which don't exist.
    package var mayPublish: Bool
    package var deadlines = Deadlines()

    package init(
        host: String, port: Int, screen: String = "home", user: String? = nil, token: String? = nil,
        mayPublish: Bool = false
    ) {
        self.host = host
        self.port = port
        self.screen = screen
        self.user = user
        self.token = token
        self.mayPublish = mayPublish
    }

    package func runner(width: Int = 4) -> CheckRunner<ServerStage> {
        let turns = Atomic(0)
        return CheckRunner(width: width) {
            ServerStage(self, turn: turns.add(1, ordering: .relaxed).oldValue)
        }
    }
}
