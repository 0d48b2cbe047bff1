import Foundation
package import Logging
import MarqueeServer

/// The server's log: where its lines go, their format, and the lowest level that is logged.
package struct ServerLog: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case text
        /// One JSON object per line.
        case json
    }

    package let level: LogLevel
    private let format: Format
    package var isJSON: Bool { format == .json }
    private let allowance = LogAllowance()
    private let write: @Sendable (String) -> Void

    /// - Parameter write: writes a line, which ends with a line feed, in one piece; on any thread.
    package init(level: Logger.Level, format: Format, write: @escaping @Sendable (String) -> Void) {
        self.level = LogLevel(level)
        self.format = format
        self.write = write
    }

    /// Lines left out since start, because there were too many.
    package var unloggedLines: UInt64 { allowance.leftOut }

    package func logger(label: String) -> Logger { Logger(label: label) { Handler(log: self, label: $0) } }

    /// Adds a line of the program itself, which is logged at every level.
    package func add(_ level: Logger.Level, label: String, _ message: String, _ metadata: Logger.Metadata = [:]) {
        write(LogLine(time: Date(), level: level, label: label, message: message, metadata: metadata))
    }

    private func write(_ line: LogLine) { write((format == .json ? line.json : line.plain) + "\n") }

    /// - Parameter place: the place in the code, whose lines are limited; `nil` for no limit.
    fileprivate func add(_ line: LogLine, at place: LogAllowance.Place?) {
        guard let place else { return write(line) }
        guard let leftOut = allowance.take(place, now: line.time.timeIntervalSince1970) else { return }
        var line = line
        if leftOut > 0 { line.metadata["left-out"] = "\(leftOut)" }
        write(line)
    }

    /// The handler that swift-log calls. The level is the log's own, for all loggers: it can change while they are in
    /// use.
    private struct Handler: LogHandler {
        let log: ServerLog
        let label: String
        var metadata: Logger.Metadata = [:]

        var logLevel: Logger.Level {
            get { log.level.now }
            // The operator sets the level.
            set {}
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            var fields = metadata
            if let more = event.metadata { fields.merge(more) { $1 } }
            if let error = event.error { fields["error"] = "\(error)" }
            log.add(
                LogLine(
                    time: Date(), level: event.level, label: label, message: event.message.description,
                    metadata: fields),
                at: metadata[AuditLine.field] == nil ? LogAllowance.Place(file: event.file, line: event.line) : nil)
        }
    }
}
