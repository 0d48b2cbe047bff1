import Foundation
import Logging
import MarqueeServer
import Synchronization
import Testing

@testable import MarqueeAdmin

struct LogLineTests {
    private func line(_ message: String, _ metadata: Logger.Metadata = [:]) -> LogLine {
        LogLine(
            time: Date(timeIntervalSince1970: 1_000.25), level: .info, label: "marquee-server", message: message,
            metadata: metadata)
    }

    private func object(_ line: LogLine) throws -> [String: Any] {
        #expect(!line.json.unicodeScalars.contains { $0.value < 0x20 }, "one line")
        return try #require(try JSONSerialization.jsonObject(with: Data(line.json.utf8)) as? [String: Any])
    }

    @Test func `A line is an object with time, level, label, message and a field for each metadata`() {
        #expect(
            line("hello", ["peer": "10.0.0.1:5", "bytes": .stringConvertible(12), "done": .stringConvertible(true)])
                .json
                == #"{"time":"1970-01-01T00:16:40.250Z","level":"info","label":"marquee-server","message":"hello","#
                + #""bytes":12,"done":true,"peer":"10.0.0.1:5"}"#)
    }

    @Test func `Whatever a client sends stays within its string`() throws {
        let nasty = "a\"b\\c\nd\r\te\u{0}\u{1B}[31m\u{7F}\u{2028}\u{1F600}\u{E9}\"}"
        let read = try object(line(nasty, ["user": "\(nasty)"]))
        #expect(read["message"] as? String == nasty)
        #expect(read["user"] as? String == nasty)
    }

    @Test func `Metadata can't pass for the line's own fields`() throws {
        let read = try object(line("real", ["message": "forged", "level": "trace"]))
        #expect(read["message"] as? String == "real")
        #expect(read["message_"] as? String == "forged")
        #expect(read["level"] as? String == "info")
    }

    @Test func `Values may be lists and objects, as deep as is sensible`() throws {
        var deep = Logger.MetadataValue.string("end")
        for _ in 0..<100 { deep = .array([deep]) }
        let read = try object(line("x", ["list": ["a", ["b": "c"]], "deep": deep]))
        let list = try #require(read["list"] as? [Any])
        #expect(list[0] as? String == "a")
        #expect((list[1] as? [String: String]) == ["b": "c"])
    }

    @Test func `Long texts are cut off`() throws {
        let read = try object(line(String(repeating: "é", count: 100_000)))
        let message = try #require(read["message"] as? String)
        #expect(message.utf8.count <= LogLine.maximumBytes + 8 && message.hasSuffix("…"))
    }

    @Test func `A line for people shows control characters instead of doing what they say`() {
        #expect(
            line("a\nforged\u{1B}[2J", ["user": "x\ry"]).plain
                == #"1970-01-01T00:16:40.250Z info marquee-server: "a\nforged\u001b[2J" user="x\ry""#)
    }

    @Test(arguments: [
        ("ana", "ana"), ("김하나", "김하나"), ("10.0.0.1:43944", "10.0.0.1:43944"), ("", #""""#),
        ("a b=c peer=10.0.0.1:1", #""a b=c peer=10.0.0.1:1""#), ("a=b", #""a=b""#), (#"a"b"#, #""a\"b""#),
        ("a\u{A0}b", "\"a\u{A0}b\""), ("abc\u{202E}cba", #""abc\u202ecba""#), ("a\u{2066}b", #""a\u2066b""#),
        ("a\u{FEFF}b\u{200B}", #""a\ufeffb\u200b""#), ("a\u{3164}", #""a\u3164""#),
        ("a\u{E0041}", #""a\udb40\udc41""#),
    ])
    func `A value can't pass for fields, other values, or text in another order`(value: String, shown: String) throws {
        #expect(line("hello", ["user": "\(value)"]).plain.hasSuffix("marquee-server: hello user=\(shown)"))
        let json = line("hello", ["user": "\(value)"])
        #expect(try object(json)["user"] as? String == value)
        #expect(!json.json.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0xE0041 })
    }

    @Test func `A message can't pass for fields either`() {
        #expect(line("lost x user=root", ["user": "ana"]).plain.hasSuffix(#": "lost x user=root" user=ana"#))
        #expect(line("it's 'fine'", ["user": "ana"]).plain.hasSuffix(": it's 'fine' user=ana"))
    }
}

struct LogAllowanceTests {
    private let here = LogAllowance.Place(file: "A.swift", line: 1)

    @Test func `A place may log a burst, then so many lines a second, and says how many it left out`() {
        let allowance = LogAllowance()
        let logged = (0..<1_000).count { _ in allowance.take(here, now: 5) != nil }
        #expect(logged == Int(LogAllowance.burst))
        #expect(allowance.leftOut == 900)
        #expect(allowance.take(here, now: 6) == 900)
        #expect((1..<Int(LogAllowance.perSecond)).allSatisfy { _ in allowance.take(here, now: 6) == 0 })
        #expect(allowance.take(here, now: 6) == nil)
    }

    @Test func `A place that is flooded doesn't silence the others`() {
        let allowance = LogAllowance()
        for _ in 0..<1_000 { _ = allowance.take(here, now: 5) }
        #expect(allowance.take(LogAllowance.Place(file: "A.swift", line: 2), now: 5) == 0)
    }

    @Test func `Places are bounded, and a clock that goes back does no harm`() {
        let allowance = LogAllowance()
        for line in 0..<UInt(10_000) { _ = allowance.take(LogAllowance.Place(file: "", line: line), now: 5) }
        #expect(allowance.take(here, now: -1_000) == nil, "shared with all the others")
    }
}

struct ServerLogTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private func log(_ level: Logger.Level, _ format: ServerLog.Format) -> (ServerLog, Lines) {
        let lines = Lines()
        return (ServerLog(level: level, format: format) { line in lines.all.withLock { $0.append(line) } }, lines)
    }

    @Test func `The level can change while loggers are in use, and only the operator changes it`() {
        let (log, lines) = log(.notice, .text)
        var logger = log.logger(label: "x")
        logger.logLevel = .trace
        logger.debug("one")
        log.level.now = .debug
        logger.debug("two", metadata: ["a": "b"])
        log.level.now = .error
        logger.warning("three")
        #expect(lines.all.withLock { $0.count } == 1)
        #expect(lines.all.withLock { $0.first }?.hasSuffix(" debug x: two a=b\n") == true)
    }

    @Test func `Lines that say who has changed something are not left out`() {
        let (log, lines) = log(.notice, .text)
        var audit = log.logger(label: "x")
        audit[metadataKey: AuditLine.field] = "publication"
        let plain = log.logger(label: "x")
        for _ in 0..<1_000 {
            audit.log(level: AuditLine.level, "one")
            // Nobody else can ask for that.
            plain.notice("two", metadata: [AuditLine.field: "publication"])
        }
        let all = lines.all.withLock { $0 }
        #expect(all.count { $0.contains("x: one audit=publication") } == 1_000)
        #expect(all.count { $0.contains("x: two") } < 200)
    }

    @Test func `A logger's own metadata is in each line, and the program's own lines are always logged`() throws {
        let (log, lines) = log(.critical, .json)
        var logger = log.logger(label: "x")
        logger[metadataKey: "node"] = "n1"
        logger.critical("one", metadata: ["b": "c"])
        for _ in 0..<1_000 { log.add(.warning, label: "y", "two") }
        let all = lines.all.withLock { $0 }
        #expect(all.count == 1_001)
        #expect(all[0].hasSuffix(#""message":"one","b":"c","node":"n1"}"# + "\n"))
    }
}
