import Foundation
import MarqueeStore
import Testing

/// A `marquee-server` with its data folder, to be ended and started again on the port that it had.
final class ServerProcess {
    let folder: URL
    let data: URL
    private let options: [String]
    private(set) var running: RunningProcess?
    private(set) var port = 0

    var address: String { "127.0.0.1:\(port)" }
    /// What it logged since it was started last.
    var log: String { running?.errors ?? "" }
    var id: Int32? { running?.id }

    /// Fills a data folder with the sample catalogue.
    /// - Parameters:
    ///   - folder: for what the process says, and for the data if they are not said to be elsewhere.
    ///   - options: of `serve`, beside those about the data and the address.
    init(in folder: URL, data: URL? = nil, options: [String] = []) throws {
        self.folder = folder
        self.data = data ?? folder.appending(path: "data")
        self.options = options
        let store = try SQLiteStore(folder: self.data.path)
        try Harness.fill(store)
        try store.close()
    }

    /// Returns when it serves.
    func start() async throws {
        let process = try launch()
        let ready = try await process.line(with: " ready on ")
        let address = try #require(ready.split(separator: " ").first { $0.hasPrefix("127.0.0.1:") }).dropLast()
        port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
    }

    /// Starts it without waiting.
    @discardableResult
    func launch() throws -> RunningProcess {
        let process = try RunningProcess(
            "marquee-server",
            ["serve", "--data", data.path, "--listen", "127.0.0.1:\(port)", "--open", "--threads", "1"] + options,
            in: folder)
        running = process
        return process
    }

    func kill() async throws { try await running?.stop(SIGKILL) }

    /// Ends it in order.
    @discardableResult
    func stop() async throws -> Int32? { try await running?.stop(SIGTERM) }
}
