import Dispatch
import Foundation
import Logging

@testable import MarqueeCatalogue
@testable import MarqueeScreens
@testable import MarqueeServer
@testable import MarqueeStore
@testable import MarqueeTypes

/// The server over a data folder, whose log of the catalogue is cut at each SIGUSR1. Ends with SIGTERM.
///
///     ReloadServer FOLDER PROGRAMME
///
/// The folder holds what `marquee-server import` has put there, types included. A log is cut when it has become too
/// long before its reader came to it, which can't be brought about at will with the server as it is shipped.
@main
enum ReloadServer {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first, let file = arguments.dropFirst().first, arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: ReloadServer FOLDER PROGRAMME\n".utf8))
            exit(64)
        }
        let store = CutStore(try SQLiteStore(folder: folder)) { duration in
            say("reloaded in \(duration / .seconds(1)) s")
        }
        var types: TypesDocument?
        _ = try store.snapshot { change in
            if case .types(let document) = change { types = document }
        }
        guard let types else { throw StoreError(.invalid, "\(folder) holds no types") }
        let programme = try Programme.parse(
            text: String(contentsOfFile: file, encoding: .utf8), file: file, types: TypeSet(types, file: folder))
        let (server, _) = try await MarqueeServer.start(
            MarqueeServer.Configuration(
                host: "127.0.0.1", port: 0, threads: ProcessInfo.processInfo.activeProcessorCount),
            store: store, programme: programme, logger: Logger(label: "reload"))

        let cut = handler(of: SIGUSR1) { store.cut() }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let terminate = handler(of: SIGTERM) { end.finish() }
        say("ready on 127.0.0.1:\(server.summary.port): \(server.summary.counts)")
        for await _ in ends {}
        withExtendedLifetime((cut, terminate)) {}
        await server.drain(grace: .milliseconds(200))
        try store.close()
    }

    private static func handler(of number: Int32, _ handle: @escaping @Sendable () -> Void) -> any DispatchSourceSignal
    {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: handle)
        source.resume()
        return source
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
