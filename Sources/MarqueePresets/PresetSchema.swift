internal import CMarqueePresets
package import MarqueeModel
package import MarqueeWire

/// The messages of the preset kinds' bodies, as presets.proto declares them.
package enum PresetSchema {
    /// The kinds with their names in programmes and the messages of their bodies.
    package static let kinds: [(name: String, kind: ItemKind, message: String)] = [
        ("movie", .movie, BodySchema.name(of: PresetProto.MovieBody.descriptor)),
        ("genre", .genre, BodySchema.name(of: PresetProto.GenreBody.descriptor)),
        ("credit", .credit, BodySchema.name(of: PresetProto.CreditBody.descriptor)),
        ("banner", .banner, BodySchema.name(of: PresetProto.BannerBody.descriptor)),
        ("text", .text, BodySchema.name(of: PresetProto.TextBody.descriptor)),
        ("course", .course, BodySchema.name(of: PresetProto.CourseBody.descriptor)),
        ("categories", .categories, BodySchema.name(of: PresetProto.CategoriesBody.descriptor)),
        ("detail", .detail, BodySchema.name(of: PresetProto.DetailBody.descriptor)),
        ("chart-entry", .chartEntry, BodySchema.name(of: PresetProto.ChartEntryBody.descriptor)),
        ("place", .place, BodySchema.name(of: PresetProto.PlaceBody.descriptor)),
    ]

    /// The kinds of items whose bodies are records of these messages, by the messages' full names: the preset kinds,
    /// cards, and `ItemKind.other`.
    package static let recordKinds: [String: ItemKind] = {
        let others = [(BodySchema.card, ItemKind.card), (BodySchema.other, .other)]
        return Dictionary(uniqueKeysWithValues: kinds.map { ($0.message, $0.kind) } + others)
    }()

    /// All messages of presets.proto.
    package static let messages = BodySchema.messages(of: PresetProto.descriptors)
}
