import ArgumentParser
import Foundation
import MarqueeTypes

/// `marquee-server types`
struct TypesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Show the contents of a descriptor set or a declaration of types.",
        discussion: """
            A descriptor set is shown message by message, with the number, type and JSON name of each field. A \
            declaration, which is a YAML file, is shown type by type with what is indexed; every mistake in it is printed with \
            its line, and the command ends with \(CommandFailure.Code.badData.rawValue) if there are any.

              marquee-server types podcast.desc
              marquee-server types types.yaml
              marquee-server types types.yaml --proto > fields.proto
            """)

    @Argument(help: ArgumentHelp("A descriptor set, or a declaration that ends with .yaml or .yml.", valueName: "file"))
    var file: String

    @Flag(help: "Print the .proto file that stands for the 'fields' of a declaration, for protoc.")
    var proto = false

    func run() throws {
        if proto {
            let types = try ProgrammeSource.types(file: file, wrong: .badData)
            guard let inline = types.inline else {
                throw CommandFailure(.badData, "no type of \(file) has 'fields', so there is no .proto to write")
            }
            return Console.write(inline.proto)
        }
        if ["yaml", "yml"].contains(URL(fileURLWithPath: file).pathExtension.lowercased()) {
            let types = try ProgrammeSource.types(file: file, wrong: .badData)
            for type in types.types { for line in TypesCommand.lines(of: type) { Console.say(line) } }
        } else {
            for line in try ProgrammeSource.descriptors(file: file).summary { Console.say(line) }
        }
    }

    /// `episode: podcast.v1.Episode, kind 1001, id guid`, then a line for each kind of index.
    static func lines(of type: TypeDeclaration) -> [String] {
        let indexes = [
            ("search", type.search.map(\.path.text)), ("search's rank", [type.searchRank?.text].compactMap { $0 }),
            ("search's facets", type.searchFacets.map(\.text)),
            ("sorts", type.sorts.map(\.path.text)),
            ("facets", type.facets.map(\.text)), ("localized", type.localized.map(\.path.text)),
            ("references", type.referenceWords), ("labels", type.labels.map(\.path.text)),
        ]
        return [
            "\(type.alias): \(type.message.fullName), kind \(type.kind.rawValue)"
                + (type.id.map { ", id \($0.text)" } ?? "")
        ]
            + indexes.filter { !$0.1.isEmpty }.map { "  \($0.0): \($0.1.joined(separator: ", "))" }
    }
}

extension TypeDeclaration {
    /// `cast.person → person`
    fileprivate var referenceWords: [String] {
        references.map { "\($0.path.text) → \($0.type)" }
            + nestedReferences.map { "\($0.text) → \($0.reference.type)" }
    }
}
