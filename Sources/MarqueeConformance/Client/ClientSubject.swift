/// The client that is checked: how it is started, and what it is told to show.
package struct ClientSubject: Sendable {
    /// Starts a client.
    package typealias Launch = @Sendable (ClientLaunch) async throws -> any RunningClient

    /// The screen that the client subscribes to.
    package var screen: String
    /// Whether the client keeps its mirror in the file that it is given.
    package var keepsMirror: Bool
    package var deadlines = Deadlines()
    package var launch: Launch

    package init(screen: String, keepsMirror: Bool, launch: @escaping Launch) {
        self.screen = screen
        self.keepsMirror = keepsMirror
        self.launch = launch
    }

    package func runner(width: Int = 4) -> CheckRunner<ClientStage> {
        CheckRunner(width: width) { try ClientStage(self) }
    }
}

/// The arguments that a client is started with.
package struct ClientLaunch: Hashable, Sendable {
    package var host: String
    package var port: Int
    package var screen: String
    /// A path for its mirror. Nothing is there when the check begins.
    package var mirror: String
    /// For its output.
    package var folder: String
}

/// A client that was started.
package protocol RunningClient: Sendable {
    /// Why it has ended; `nil` while it runs.
    func ending() async -> String?
    /// Ends it at once, as a power cut would.
    func kill() async
}
