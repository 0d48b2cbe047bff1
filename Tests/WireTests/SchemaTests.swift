import CMarqueePresets
import CMarqueeProto
import Foundation
import Testing

@testable import MarqueePresets
@testable import MarqueeWire

/// Limits of the schema that the guard relies on, because protobuf-c has none.
@Suite struct SchemaTests {
    private typealias Descriptor = UnsafePointer<ProtobufCMessageDescriptor>

    private let all = Proto.descriptors + PresetProto.descriptors
    private let files: [(String, [Descriptor], [String])] = [
        ("marquee.proto", Proto.descriptors, []), ("presets.proto", PresetProto.descriptors, ["marquee.proto"]),
    ]

    private func fields(_ message: Descriptor) -> UnsafeBufferPointer<ProtobufCFieldDescriptor> {
        UnsafeBufferPointer(start: message.pointee.fields, count: Int(message.pointee.n_fields))
    }

    private func name(_ message: Descriptor) -> String { String(cString: message.pointee.short_name) }

    /// The maximum depth below a message; `nil` if it contains itself.
    private func depth(_ message: Descriptor, above: [Descriptor] = []) -> Int? {
        guard !above.contains(message) else { return nil }
        var deepest = 0
        for field in fields(message) where field.type == PROTOBUF_C_TYPE_MESSAGE {
            let nested = field.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
            guard let below = depth(nested, above: above + [message]) else { return nil }
            deepest = max(deepest, below)
        }
        return deepest + 1
    }

    @Test func `No message contains itself or nests deeper than the guard allows`() throws {
        for message in all {
            let levels = try #require(depth(message), "\(name(message)) reaches itself")
            #expect(levels <= GuardLimits.depth, "\(name(message))")
        }
    }

    @Test func `No field is required, in a oneof, or an enum`() {
        for message in all {
            for field in fields(message) {
                let name = "\(name(message)).\(String(cString: field.name))"
                #expect(field.label == PROTOBUF_C_LABEL_OPTIONAL || field.label == PROTOBUF_C_LABEL_REPEATED, "\(name)")
                #expect(field.type != PROTOBUF_C_TYPE_ENUM, "\(name)")
                #expect(field.flags & UInt32(PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue) == 0, "\(name)")
            }
        }
    }

    @Test func `Fields ascend by number and have types that can be read and written without protobuf-c`() {
        let types = [
            PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_UINT64,
            PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT, PROTOBUF_C_TYPE_FIXED64,
            PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE, PROTOBUF_C_TYPE_BOOL, PROTOBUF_C_TYPE_STRING,
            PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE,
        ]
        for message in all {
            let numbers = fields(message).map(\.id)
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(name(message))")
            for field in fields(message) {
                let name = "\(name(message)).\(String(cString: field.name))"
                #expect(types.contains(field.type) && field.default_value == nil, "\(name)")
                // protobuf-c reads lists of them differently from single ones.
                #expect(field.type != PROTOBUF_C_TYPE_BOOL || field.label != PROTOBUF_C_LABEL_REPEATED, "\(name)")
            }
        }
    }

    @Test func `No message has more fields than the guard can mark`() {
        for message in all { #expect(message.pointee.n_fields <= 64, "\(name(message))") }
    }

    @Test func `The schema's source uses only allowed features`() throws {
        for (file, _, imports) in files {
            let text = try String(contentsOf: Repository.proto.appending(path: file), encoding: .utf8)
            let code = text.split(separator: "\n").map {
                $0.prefix(upTo: $0.firstRange(of: "//")?.lowerBound ?? $0.endIndex)
            }
            let imported = code.filter { $0.hasPrefix("import ") }
            #expect(imported.map(String.init) == imports.map { "import \"\($0)\";" })
            let words = Set(
                code.filter { !imported.contains($0) }.joined(separator: " ")
                    .split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
            #expect(words.isDisjoint(with: ["map", "required", "oneof", "enum", "group", "extend", "extensions"]))
            #expect(code.contains { $0.contains("syntax = \"proto2\"") })
        }
    }

    @Test func `Every message of the schema is listed`() throws {
        for (file, messages, _) in files {
            let text = try String(contentsOf: Repository.proto.appending(path: file), encoding: .utf8)
            let names = text.matches(of: #/(?m)^message (\w+)/#).map { String($0.output.1) }
            #expect(messages.map { name($0) } == names)
        }
    }

    /// Every app links the core. Presets are only for apps that show their kinds; its articles may tell of them.
    @Test(arguments: [
        "Sources/MarqueeModel", "Sources/MarqueeDiff", "Sources/MarqueeWire", "Sources/MarqueeLayout",
        "Client/MarqueeMirror", "Client/MarqueeClient", "Client/MarqueeUIKit", "Client/MarqueeSwiftProtobuf",
        "Proto/marquee.proto", "Proto/CMarqueeProto",
    ])
    func `The core names no movie and no preset`(_ path: String) throws {
        let place = Repository.root.appending(path: path)
        let inside = FileManager.default.enumerator(at: place, includingPropertiesForKeys: [.isRegularFileKey])
        let files = try ([place] + (inside?.compactMap { $0 as? URL } ?? [])).filter {
            try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true && $0.pathExtension != "md"
        }
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            let named = text.matches(
                of: #/(?i)movie|Certification|MarqueePresets|(?:Genre|Credit|ChartEntry|Course|Place)Body/#)
            #expect(named.map { String($0.output) } == [], "\(file.lastPathComponent)")
        }
    }
}
