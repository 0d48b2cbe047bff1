/// The messages of types with inline fields, as a file of their own.
package struct InlineSchema: Hashable, Sendable {
    /// The path of that file in a descriptor set.
    package static let path = "marquee/fields.proto"
    /// The package of the messages if the declaration names none.
    package static let defaultPackage = "records"

    /// An inline field.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var number: UInt32
        /// Whether the declaration gives the number; otherwise it follows from the field's position.
        package var isNumbered: Bool
        /// `nil` for a dropped field, whose number stays reserved.
        package var type: InlineFieldType?
    }

    /// The message of a type.
    package struct Message: Hashable, Sendable {
        /// The type's alias.
        package var alias: String
        /// The message's name, without the package.
        package var name: String
        package var fields: [Field]

        /// Converts `order-line` to `OrderLine`.
        static func name(of alias: String) -> String {
            alias.split { $0 == "-" || $0 == "_" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
    }

    package var package: String
    package var messages: [Message]

    package func message(of alias: String) -> Message? { messages.first { $0.alias == alias } }

    func fullName(of message: Message) -> String { "\(package).\(message.name)" }

    /// The files that the schema imports.
    private var imports: [WellKnownFile] {
        let used = Set(messages.lazy.flatMap(\.fields).compactMap { $0.type?.value.file })
        return WellKnownFile.allCases.filter { used.contains($0) }
    }

    // MARK: - As a .proto file

    /// The equivalent `.proto` file.
    package var proto: String {
        var lines = ["syntax = \"proto3\";", "", "package \(package);"]
        if !imports.isEmpty { lines += [""] + imports.map { "import \"\($0.path)\";" } }
        for message in messages {
            lines += ["", "message \(message.name) {"]
            for field in message.fields {
                if let type = field.type {
                    lines.append("  \(type.protoWords) \(field.name) = \(field.number);")
                } else {
                    lines += ["  reserved \(field.number);", "  reserved \"\(field.name)\";"]
                }
            }
            lines.append("}")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - As descriptors

    /// The bytes of its file descriptor, identical to those that protoc makes from `proto`.
    package var file: [UInt8] {
        var writer = MessageWriter()
        writer.write(Self.path.utf8, to: 1)
        writer.write(package.utf8, to: 2)
        for file in imports { writer.write(file.path.utf8, to: 3) }
        for message in messages { writer.write(descriptor(of: message), to: 4) }
        writer.write("proto3".utf8, to: 12)
        return writer.bytes
    }

    /// A descriptor set with this schema's file and the files that it imports.
    /// - Parameter given: a set of other files. A file of an earlier version of this schema is left out.
    /// - Returns: `nil` if `given` is not a descriptor set.
    package func descriptorSet(with given: [UInt8] = []) -> [UInt8]? {
        var writer = MessageWriter()
        var paths: Set<String> = []
        var reader = WireReader(given)
        do throws(WireFault) {
            while let field = try reader.next() {
                guard field.number == 1, field.wireType == .lengthPrefixed else { return nil }
                let path = try Self.path(of: given, in: field.payload)
                guard path != Self.path else { continue }
                paths.insert(path)
                writer.write(given[field.payload], to: 1)
            }
        } catch {
            return nil
        }
        for file in imports where !paths.contains(file.path) { writer.write(Self.bytes(of: file), to: 1) }
        writer.write(file, to: 1)
        return writer.bytes
    }

    private static func path(of set: [UInt8], in range: Range<Int>) throws(WireFault) -> String {
        var reader = WireReader(set, range)
        while let field = try reader.next() {
            if field.number == 1, field.wireType == .lengthPrefixed {
                return String(decoding: set[field.payload], as: UTF8.self)
            }
        }
        return ""
    }

    private func descriptor(of message: Message) -> [UInt8] {
        var writer = MessageWriter()
        writer.write(message.name.utf8, to: 1)
        var entries: [[UInt8]] = []
        var oneofs: [String] = []
        for field in message.fields {
            guard let type = field.type else { continue }
            var typeName: String?
            if type.form == .byLocale {
                let entry = FieldDescriptor.camelCase(field.name, isCapitalized: true) + "Entry"
                typeName = ".\(fullName(of: message)).\(entry)"
                entries.append(Self.entry(entry))
            } else if let file = type.value.file {
                typeName = ".\(file.message)"
            }
            var oneof: UInt64?
            if type.isOptional {
                oneof = UInt64(oneofs.count)
                oneofs.append("_\(field.name)")
            }
            writer.write(
                Self.field(
                    field.name, field.number, label: type.form == .single ? 1 : 3,
                    type: type.form == .byLocale ? 11 : type.value.descriptorType, typeName, oneof), to: 2)
        }
        for entry in entries { writer.write(entry, to: 3) }
        for oneof in oneofs {
            var declaration = MessageWriter()
            declaration.write(oneof.utf8, to: 1)
            writer.write(declaration.bytes, to: 8)
        }
        let dropped = message.fields.filter { $0.type == nil }
        for field in dropped {
            var range = MessageWriter()
            range.write(.unsigned(UInt64(field.number)), as: .int32, to: 1, skipsZero: false)
            range.write(.unsigned(UInt64(field.number) + 1), as: .int32, to: 2, skipsZero: false)
            writer.write(range.bytes, to: 9)
        }
        for field in dropped { writer.write(field.name.utf8, to: 10) }
        return writer.bytes
    }

    private static func field(
        _ name: String, _ number: UInt32, label: UInt64 = 1, type: UInt64, _ typeName: String? = nil,
        _ oneof: UInt64? = nil
    ) -> [UInt8] {
        var writer = MessageWriter()
        func write(_ value: UInt64, _ number: UInt32) {
            writer.write(.unsigned(value), as: .uint64, to: number, skipsZero: false)
        }
        writer.write(name.utf8, to: 1)
        write(UInt64(number), 3)
        write(label, 4)
        write(type, 5)
        if let typeName { writer.write(typeName.utf8, to: 6) }
        if let oneof { write(oneof, 9) }
        writer.write(FieldDescriptor.camelCase(name).utf8, to: 10)
        if oneof != nil { write(1, 17) }
        return writer.bytes
    }

    /// The map entry message of a text by locale.
    private static func entry(_ name: String) -> [UInt8] {
        let text = UInt64(ScalarType.string.rawValue)
        var writer = MessageWriter()
        writer.write(name.utf8, to: 1)
        writer.write(field("key", 1, type: text), to: 2)
        writer.write(field("value", 2, type: text), to: 2)
        var options = MessageWriter()
        options.write(.bool(true), as: .bool, to: 7, skipsZero: false)
        writer.write(options.bytes, to: 7)
        return writer.bytes
    }

    /// The file of a well-known type, with just its field declarations.
    private static func bytes(of file: WellKnownFile) -> [UInt8] {
        var message = MessageWriter()
        message.write(file.message.split(separator: ".").last.map { Array($0.utf8) } ?? [], to: 1)
        message.write(field("seconds", 1, type: UInt64(ScalarType.int64.rawValue)), to: 2)
        message.write(field("nanos", 2, type: UInt64(ScalarType.int32.rawValue)), to: 2)
        var writer = MessageWriter()
        writer.write(file.path.utf8, to: 1)
        writer.write("google.protobuf".utf8, to: 2)
        writer.write(message.bytes, to: 4)
        writer.write("proto3".utf8, to: 12)
        return writer.bytes
    }
}
