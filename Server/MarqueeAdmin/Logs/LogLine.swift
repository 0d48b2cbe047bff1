package import Foundation
package import Logging

/// One line of the log, before it is formatted.
package struct LogLine {
    /// The most bytes of a message or of a value; the rest is cut off. Either may repeat what a client sent.
    static let maximumBytes = 4_096
    /// How deeply values may be nested.
    static let maximumDepth = 4
    /// Fields that a line always has; metadata of the same name gets an underscore.
    static let ownFields: Set<String> = ["time", "level", "label", "message"]

    package var time: Date
    package var level: Logger.Level
    package var label: String
    package var message: String
    package var metadata: Logger.Metadata

    package init(time: Date, level: Logger.Level, label: String, message: String, metadata: Logger.Metadata) {
        self.time = time
        self.level = level
        self.label = label
        self.message = message
        self.metadata = metadata
    }

    /// A JSON object on one line, without the line feed.
    package var json: String {
        var line = "{\"time\":" + Self.quoted(Self.text(of: time))
        func add(_ name: String, _ value: String) {
            line += ","
            line += Self.quoted(name)
            line += ":"
            line += value
        }
        add("level", Self.quoted(level.rawValue))
        add("label", Self.quoted(label))
        add("message", Self.quoted(message))
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            add(Self.ownFields.contains(key) ? key + "_" : key, Self.json(of: value, depth: 1))
        }
        return line + "}"
    }

    /// A line for people. A value that could be taken for several, or for a field, is quoted as in JSON; so is a
    /// message that seems to contain fields.
    package var plain: String {
        let fields = metadata.sorted { $0.key < $1.key }.map { " \($0)=\(Self.word("\($1)"))" }
        return "\(Self.text(of: time)) \(level.rawValue) \(label): \(Self.phrase(message))" + fields.joined()
    }

    /// Text from outside, for a terminal: quoted if anything in it could be read as something else.
    package static func phrase(_ text: String) -> String {
        text.unicodeScalars.contains(where: isAmbiguous) ? quoted(text) : cut(text)
    }

    // MARK: - Parts

    /// The time in UTC, with milliseconds.
    private static func text(of time: Date) -> String {
        time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func json(of value: Logger.MetadataValue, depth: Int) -> String {
        switch value {
        case .string(let text): return quoted(text)
        case .stringConvertible(let value as any BinaryInteger): return value.description
        case .stringConvertible(let value as Bool): return value.description
        case .stringConvertible(let value as Double) where value.isFinite: return value.description
        case .stringConvertible(let value): return quoted(value.description)
        case .array(let values):
            guard depth < maximumDepth else { return quoted("\(value)") }
            return "[" + values.map { json(of: $0, depth: depth + 1) }.joined(separator: ",") + "]"
        case .dictionary(let values):
            guard depth < maximumDepth else { return quoted("\(value)") }
            let fields = values.sorted { $0.key < $1.key }.map { "\(quoted($0)):\(json(of: $1, depth: depth + 1))" }
            return "{" + fields.joined(separator: ",") + "}"
        }
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > maximumBytes else { return text }
        // The last character may have been cut in half.
        return String(decoding: text.utf8.prefix(maximumBytes), as: UTF8.self) + "…"
    }

    /// Whether every character stands for itself in JSON and on a terminal, as in almost all texts.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    private static func quoted(_ text: String) -> String {
        let text = cut(text)
        if isPlain(text) { return "\"" + text + "\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isHidden(scalar): result += escaped(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A value, in quotes unless it is one plain word.
    package static func word(_ text: String) -> String {
        let isWord = !text.isEmpty && !text.unicodeScalars.contains { isAmbiguous($0) || $0.properties.isWhitespace }
        return isWord ? cut(text) : quoted(text)
    }

    /// Whether a text with this character has to be quoted because it could be read as something else.
    private static func isAmbiguous(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "=" || scalar == "\"" || scalar == "\\" || isHidden(scalar)
    }

    /// Characters that are invisible or have an effect: control characters, which may control a terminal, separators at
    /// which some programs break lines, and those that change the direction of text or are ignored.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if 0x20..<0x7F ~= scalar.value { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// A character as JSON escapes it: two UTF-16 units for one beyond the first 65,536.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }.joined()
    }
}
