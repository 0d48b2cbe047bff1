import Foundation
import MarqueeClient
import MarqueeModel
import MarqueePresets
import MarqueeTypes

/// Reads the bytes of records that items carry, using a schema from a file: the program itself knows no types.
struct RecordReader: Sendable {
    /// A record, in the words of its schema.
    struct Reading: Hashable {
        /// The full name of the message, if it is known.
        var message: String?
        /// By protobuf's JSON mapping, on one line; `nil` when it can't be read.
        var json: String?
        /// Fields that the schema doesn't have, by path and number.
        var unknownFields: [String] = []
        /// Why it can't be read.
        var problem: String?
    }

    /// Maximum bytes read of a file: one more than the largest descriptor set.
    private static let fileBytes = (1 << 20) + 1

    private let schema: DescriptorSet
    /// Messages, by kind, of items that are records; only a declaration of types knows them.
    private let kinds: [UInt32: String]

    init(schema: DescriptorSet, kinds: [UInt32: String] = [:]) {
        (self.schema, self.kinds) = (schema, kinds)
    }

    /// - Parameter path: a descriptor set, or a declaration of types (`.yaml`) that names one.
    /// - Throws: `Failure` for a file that can't be read or is neither.
    init(path: String) throws {
        let url = URL(fileURLWithPath: path)
        guard ["yaml", "yml"].contains(url.pathExtension.lowercased()) else {
            let bytes = try RecordReader.bytes(url, path)
            do throws(DescriptorError) {
                self.init(schema: try DescriptorSet(bytes))
            } catch {
                throw Failure(.dataError, "\(path): \(error)")
            }
            return
        }
        let text = String(decoding: try RecordReader.bytes(url, path), as: UTF8.self)
        do {
            let name = try TypeSet.descriptorFile(of: text, file: path)
            let descriptors = try name.map {
                try RecordReader.bytes(URL(fileURLWithPath: $0, relativeTo: url), $0)
            }
            let types = try TypeSet(
                text, file: path, descriptors: descriptors ?? [], builtIn: PresetSchema.recordKinds)
            self.init(
                schema: types.schema,
                kinds: Dictionary(types.types.map { ($0.kind.rawValue, $0.message.fullName) }) { first, _ in first })
        } catch let mistakes as FileMistakes {
            throw Failure(.dataError, "\(mistakes.mistakes.first?.description ?? path)")
        }
    }

    private static func bytes(_ url: URL, _ path: String) throws -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            return [UInt8](try handle.read(upToCount: fileBytes) ?? Data())
        } catch {
            throw Failure(.noInput, "can't read the descriptors \(path)")
        }
    }

    /// Reads an item's record; returns `nil` for an item without one.
    func read(_ item: ScreenItem) -> Reading? { item.record.map { read($0, kind: item.kind) } }

    func read(_ record: ItemRecord, kind: ItemKind) -> Reading {
        guard let message = record.message ?? kinds[kind.rawValue] else {
            return Reading(
                problem: "the message of items of kind \(kind.rawValue) is unknown; give --descriptors the "
                    + "declaration of types, such as types.yaml")
        }
        do {
            let coder = try RecordCoder(set: schema, message: message, name: "record")
            return Reading(
                message: message, json: try coder.json(of: record.bytes),
                unknownFields: try coder.unknownFields(of: record.bytes))
        } catch {
            return Reading(message: message, problem: "\(error)")
        }
    }
}

extension RecordReader.Reading {
    /// A line for a person, below the item's own.
    var line: String {
        let words = [json ?? problem ?? ""] + (unknownFields.isEmpty ? [] : [unknownWords])
        return Sanitizer.line(words.joined(separator: "  "))
    }

    private var unknownWords: String {
        "(and \(unknownFields.count == 1 ? "the unknown field" : "the unknown fields") "
            + "\(unknownFields.joined(separator: ", ")))"
    }
}
