import Foundation
import MarqueeCatalogue
import MarqueePresetRecords
import MarqueeStore
import MarqueeTypes

/// Types with everything that a protobuf schema may have, besides those of the sample catalogue.
enum KitchenTypes {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func document() throws -> TypesDocument {
        let preset = PresetCatalogue.types
        var descriptors = preset.descriptors
        // Descriptor sets one after another are one set with the files of all.
        for name in ["kitchen", "legacy"] {
            descriptors += try Data(contentsOf: root.appending(path: "Tests/TypesTests/Fixtures/\(name).desc"))
        }
        let declarations = preset.declarations.replacing(
            "\ntypes:\n",
            with: """

                types:
                  kitchen:
                    message: kitchen.v1.Kitchen
                    sorts: [{field: inner.deeper.text, as: date}]
                  job:
                    message: legacy.v1.Job
                    id: id

                """)
        return TypesDocument(declarations: declarations, descriptors: descriptors)
    }

    /// A page of `Docs`.
    static func page(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: "Docs/\(name).md"), encoding: .utf8)
    }
}
