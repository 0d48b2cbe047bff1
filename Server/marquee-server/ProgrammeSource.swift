import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeScreens
import MarqueeStore
import MarqueeTLS
import MarqueeTypes

/// A programme with its source text.
struct ProgrammeSource {
    /// Bytes read from a file: enough to see that it exceeds a programme's limit.
    private static let fileBytes = (1 << 20) + 1

    var text: String
    var programme: Programme
    /// Constructs that are valid but most likely unintended.
    var warnings: [FileMistake]
    /// The references that the catalogue must resolve for it.
    var references: [ProgrammeReference]

    /// - Parameters:
    ///   - name: what messages call it.
    ///   - types: the record types that it may name.
    ///   - wrong: the exit code for a programme with mistakes.
    init(text: String, name: String, types: TypeSet? = nil, wrong: CommandFailure.Code) throws(CommandFailure) {
        do throws(FileMistakes) {
            (programme, warnings, references) = try Programme.check(text: text, file: name, types: types)
        } catch {
            throw CommandFailure(error, in: name, wrong)
        }
        self.text = text
    }

    /// Reads and checks a file.
    /// - Parameters:
    ///   - types: the record types that it may name.
    ///   - wrong: the exit code for a programme with mistakes.
    init(file: String, types: TypeSet? = nil, wrong: CommandFailure.Code) throws(CommandFailure) {
        let text = try ProgrammeSource.text(of: file, wrong: wrong)
        try self.init(text: text, name: file, types: types, wrong: wrong)
    }

    /// Reads a declaration of types, and the descriptor set that it may name, which lies beside it.
    ///
    /// - Parameter wrong: the exit code for a declaration with mistakes.
    static func types(file: String, wrong: CommandFailure.Code) throws(CommandFailure) -> TypeSet {
        let text = try text(of: file, wrong: wrong)
        func orFail<Value>(_ read: () throws(FileMistakes) -> Value) throws(CommandFailure) -> Value {
            do throws(FileMistakes) { return try read() } catch {
                throw CommandFailure(wrong, "\(file) can't be used", details: error.mistakes.map(\.description))
            }
        }
        let name = try orFail { () throws(FileMistakes) in try TypeSet.descriptorFile(of: text, file: file) }
        let descriptors = try name.map { (name) throws(CommandFailure) in
            try bytes(of: URL(fileURLWithPath: name, relativeTo: URL(fileURLWithPath: file)).path)
        }
        return try orFail { () throws(FileMistakes) in
            try TypeSet(
                text, file: file, descriptors: descriptors.map { [UInt8]($0) } ?? [], builtIn: PresetSchema.recordKinds)
        }
    }

    static func text(of file: String, wrong: CommandFailure.Code) throws(CommandFailure) -> String {
        guard let text = String(validating: try bytes(of: file), as: UTF8.self) else {
            throw CommandFailure(wrong, "\(file) is not UTF-8 text")
        }
        return text
    }

    static func bytes(of file: String) throws(CommandFailure) -> [UInt8] {
        do throws(BoundedFile.Problem) {
            return try BoundedFile.read(file, limit: fileBytes)
        } catch {
            throw CommandFailure(.noInput, "\(file) can't be read: \(error)")
        }
    }

    /// The programme of a server that was given none.
    static func builtIn() throws(CommandFailure) -> ProgrammeSource {
        let text = String(decoding: PackageResources.default_programme_yaml, as: UTF8.self)
        return try ProgrammeSource(text: text, name: "the built-in programme", wrong: .configuration)
    }

    /// The programme in the catalogue; `nil` if there is none.
    static func stored(in store: any StoreEngine, at place: StorePlace) throws(CommandFailure) -> ProgrammeSource? {
        var text: String?
        var types: TypesDocument?
        do throws(StoreError) {
            _ = try store.snapshot { change in
                if case .programme(let stored) = change { text = stored }
                if case .types(let stored) = change { types = stored }
            }
        } catch {
            throw CommandFailure(error, at: place)
        }
        guard let text else { return nil }
        do throws(CommandFailure) {
            return try ProgrammeSource(
                text: text, name: "the programme kept in \(place.name)",
                types: types.flatMap { try? TypeSet($0, file: "types") },
                wrong: .configuration)
        } catch {
            throw CommandFailure(
                error.code, "\(error.message); serve another one with --programme", details: error.details)
        }
    }

    /// The types in the catalogue; `nil` if there are none.
    static func storedTypes(in store: any ServedStore, at place: StorePlace) throws(CommandFailure) -> TypeSet? {
        do throws(StoreError) {
            // The store has already validated them.
            return try store.types().flatMap { try? TypeSet($0, file: "types") }
        } catch {
            throw CommandFailure(error, at: place)
        }
    }

    /// Reads a descriptor set.
    static func descriptors(file: String) throws(CommandFailure) -> DescriptorSet {
        let bytes = try bytes(of: file)
        do throws(DescriptorError) {
            return try DescriptorSet(bytes)
        } catch {
            throw CommandFailure(.badData, "\(file): \(error)")
        }
    }
}
