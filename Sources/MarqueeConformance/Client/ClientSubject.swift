/// The client under test: how to start it, and which screen it shows.
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

/// The parameters for starting a client.
package struct ClientLaunch: Hashable, Sendable {
    package var host: String
    package var port: Int
    package var screen: String
    /// The path for its mirror; there is no file at the start of a check.
    package var mirror: String
    /// The folder for its output.
    package var folder: String
}

/// A client that was started.
package protocol RunningClient: Sendable {
    /// How it has ended, for people; `nil` while it runs.
    func ending() async -> String?
    /// Ends it at once, as a power cut would.
    func kill() async
}
