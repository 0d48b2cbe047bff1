import MarqueeModel

/// JSON with placeholders for values of a delivery.
///
/// A text such as `$variants.0.price` stands for the value at that path, `$` for all of it, and `p-${id}` for text with
/// values in it; `$$` is a dollar sign. A member or an element whose value isn't there, or is null, is left out.
indirect enum HookTemplate: Hashable, Sendable {
    case value(JSONValue)
    case path(HookPath)
    /// Text and values in turn.
    case text([Piece])
    case list([HookTemplate])
    case object([Member])

    enum Piece: Hashable, Sendable {
        case text(String)
        case path(HookPath)
    }

    struct Member: Hashable, Sendable {
        var name: String
        var value: HookTemplate
    }

    /// - Parameter text: the template's text.
    /// - Returns: `nil` for an open `${`, or a path that isn't one.
    init?(text: String) {
        guard text.contains("$") else {
            self = .value(.text(text))
            return
        }
        if text.hasPrefix("$"), !text.hasPrefix("$$"), !text.hasPrefix("${") {
            guard let path = HookPath(text.dropFirst()) else { return nil }
            self = .path(path)
            return
        }
        var pieces: [Piece] = []
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            pieces.append(.text(String(rest[..<dollar])))
            rest = rest[rest.index(after: dollar)...]
            if rest.first == "$" {
                pieces.append(.text("$"))
                rest = rest.dropFirst()
            } else {
                guard rest.first == "{", let end = rest.firstIndex(of: "}"),
                    let path = HookPath(rest[..<end].dropFirst())
                else { return nil }
                pieces.append(.path(path))
                rest = rest[rest.index(after: end)...]
            }
        }
        pieces.append(.text(String(rest)))
        self = .text(pieces.filter { $0 != .text("") })
    }

    /// - Returns: `nil` if the delivery lacks a value that it stands for.
    func filled(from delivery: JSONValue) -> JSONValue? {
        switch self {
        case .value(let value): return value
        case .path(let path): return path.value(in: delivery)
        case .text(let pieces):
            var text = ""
            for piece in pieces {
                switch piece {
                case .text(let part): text += part
                case .path(let path):
                    guard let part = path.value(in: delivery)?.scalarText else { return nil }
                    text += part
                }
            }
            return .text(text)
        case .list(let elements): return .list(elements.compactMap { $0.filled(from: delivery) })
        case .object(let members):
            return .object(
                members.compactMap { member in
                    member.value.filled(from: delivery).map { JSONValue.Member(name: member.name, value: $0) }
                })
        }
    }
}

/// The path to a value in a delivery: names of members and numbers of elements, joined by dots.
struct HookPath: Hashable, Sendable {
    /// The most parts.
    private static let maximumParts = 32

    private let parts: [String]

    init?(_ text: Substring) {
        let parts = text.isEmpty ? [] : text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count <= Self.maximumParts, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.parts = parts
    }

    /// - Returns: `nil` if nothing is there, or null.
    func value(in delivery: JSONValue) -> JSONValue? {
        var value = delivery
        for part in parts {
            switch value {
            case .object:
                guard let member = value[part] else { return nil }
                value = member
            case .list(let elements):
                guard let index = Int(part), elements.indices.contains(index) else { return nil }
                value = elements[index]
            case .null, .bool, .number, .text: return nil
            }
        }
        return value == .null ? nil : value
    }
}

extension JSONValue {
    /// The text of a scalar value.
    var scalarText: String? {
        switch self {
        case .text(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .list, .object: nil
        }
    }
}
