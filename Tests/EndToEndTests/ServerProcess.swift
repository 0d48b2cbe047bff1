import Foundation
import MarqueePresetRecords
import MarqueeStore
import PostgresSupport
import Testing

/// A `marquee-server` with its data folder or database, which can be stopped and started again on the same port.
final class ServerProcess {
    let folder: URL
    /// That of a server without a database.
    let data: URL
    /// Which store it serves.
    private let store: [String]
    private let options: [String]
    private let isOpen: Bool
    private(set) var running: RunningProcess?
    /// Stays free while it is stopped.
    let port: Int

    var address: String { "127.0.0.1:\(port)" }
    /// Its log since the last start.
    var log: String { running?.errors ?? "" }
    var id: Int32? { running?.id }

    /// Fills a data folder with the sample catalogue and its programme.
    /// - Parameters:
    ///   - folder: for the process's output, and for the data unless `data` says otherwise.
    ///   - options: of `serve`, besides those for the data and the address.
    ///   - isOpen: whether it believes everybody.
    init(in folder: URL, data: URL? = nil, options: [String] = [], isOpen: Bool = true) throws {
        self.folder = folder
        self.data = data ?? folder.appending(path: "data")
        self.options = options
        self.isOpen = isOpen
        port = Int(try PostgresServer.freePort())
        self.store = ["--data", self.data.path]
        let store = try SQLiteStore(folder: self.data.path)
        try Harness.fill(store)
        _ = try store.write([.catalogue(key: nil, changes: [.programme(PresetCatalogue.programme)], mutation: nil)])
        try store.close()
    }

    /// - Parameter database: the URL of one, which is left as it is.
    init(in folder: URL, database: String, options: [String] = []) throws {
        self.folder = folder
        data = folder
        self.options = options
        isOpen = true
        port = Int(try PostgresServer.freePort())
        store = ["--store", database]
    }

    /// Returns once it serves.
    func start() async throws {
        let process = try launch()
        _ = try await process.line(with: " ready on ")
    }

    /// Starts it without waiting.
    @discardableResult
    func launch() throws -> RunningProcess {
        let process = try RunningProcess(
            "marquee-server",
            ["serve", "--listen", "127.0.0.1:\(port)", "--threads", "1"] + (isOpen ? ["--open"] : []) + store + options,
            in: folder)
        running = process
        return process
    }

    func kill() async throws { try await running?.stop(SIGKILL) }

    /// Shuts it down in an orderly way.
    @discardableResult
    func stop() async throws -> Int32? { try await running?.stop(SIGTERM) }
}
