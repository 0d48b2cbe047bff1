import Logging
import MarqueeModel
import Synchronization
import Testing

@testable import MarqueeClient

@Suite("A client's log")
struct ClientLogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.add("\(event.level): \(event.message) \(event.metadata ?? [:])") }
    }

    @Test func `What the user marked is written at debug only`() {
        let lines = Lines()
        let log = ClientLog(Logger(label: "test") { _ in Handler(lines: lines) })
        log.record(.changeRejected(.favorites, "episode/secret", ClientError(.changeRefused, "no")))
        let marked = lines.all.filter { $0.contains("secret") }
        #expect(lines.all.count == 2)
        #expect(marked.count == 1 && marked.allSatisfy { $0.hasPrefix("debug") })
    }

    @Test func `By default nothing is written`() {
        let logger = ClientConfiguration().logger
        #expect(logger.handler is SwiftLogNoOpLogHandler)
    }
}
