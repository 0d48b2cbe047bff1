import MarqueeTypes

/// The files that a person would write for a source.
package struct ScaffoldFiles: Hashable, Sendable {
    package static let typesName = "types.yaml"
    package static let sourceName = "source.yaml"
    package static let programmeName = "programme.yaml"

    package var types: String
    package var source: String
    package var programme: String

    /// The files with their names, in the order in which they are read.
    package var all: [(name: String, text: String)] {
        [(Self.typesName, types), (Self.sourceName, source), (Self.programmeName, programme)]
    }

    /// The source of the rows, as the files name it.
    package struct Origin: Hashable, Sendable {
        /// The name for people and for the source: `shop`.
        package var name: String
        /// The lines of `source.yaml` that say where the rows are.
        package var lines: [String]
        /// The place of the rows, for a comment.
        package var place: String
        package var isDatabase: Bool
    }

    package init(_ plan: ScaffoldPlan, _ origin: Origin) {
        types = Self.types(plan, origin)
        source = Self.source(plan, origin)
        programme = ScaffoldProgramme(plan, origin).text
    }

    // MARK: - types.yaml

    private static func types(_ plan: ScaffoldPlan, _ origin: Origin) -> String {
        var lines = [
            "# The types of the records of \(origin.place), and what screens may sort, filter and search by.",
            "# A field keeps its place: add others at the end, and write 'dropped' for one that is gone.", "types:",
        ]
        for type in plan.types {
            lines.append("  \(type.alias):")
            if let id = type.id { lines.append("    id: \(id)") }
            lines.append("    fields:")
            for field in type.fields { lines.append("      \(field.name): \(field.type.words)") }
            let roles = type.roles
            if !roles.search.isEmpty {
                let rank = roles.number.map { ", rank: \($0)" } ?? ""
                let search = YAMLText.list(roles.search)
                lines.append("    search: \(rank.isEmpty ? search : "{fields: \(search)\(rank)}")")
            }
            if !roles.sorts.isEmpty { lines.append("    sorts: \(YAMLText.list(roles.sorts))") }
            if !roles.facets.isEmpty { lines.append("    facets: \(YAMLText.list(roles.facets))") }
            if !type.references.isEmpty {
                lines.append("    references: \(YAMLText.mapping(type.references.map { ($0.field, $0.type) }))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - source.yaml

    private static func source(_ plan: ScaffoldPlan, _ origin: Origin) -> String {
        var lines = [
            "# Where the records come from, read by 'marquee-server import source' and 'follow'.",
            "source: \(YAMLText.quoted(origin.name))", "types: \(typesName)",
        ]
        lines += origin.lines
        lines.append("tables:")
        for type in plan.types {
            lines.append("  \(YAMLText.quoted(type.table)):")
            lines.append("    type: \(type.alias)")
            if needsKey(type) { lines.append("    id: \(YAMLText.list(type.key))") }
            let mapped = mapped(type)
            if !mapped.isEmpty {
                lines.append("    map:")
                lines += mapped.map { "      \($0.name): \(YAMLText.quoted($0.column))" }
            }
            func settings(_ key: String, _ value: (PlannedField) -> String?) {
                let entries = type.fields.compactMap { field in value(field).map { (field.name, YAMLText.quoted($0)) } }
                if !entries.isEmpty { lines.append("    \(key): \(YAMLText.mapping(entries))") }
            }
            settings("split") { $0.reading.separator }
            settings("time") { $0.reading.form }
            if type.fields.contains(where: \.reading.needsZone) { lines.append("    zone: UTC") }
            if !type.omitted.isEmpty { lines.append("    omit: \(YAMLText.list(type.omitted))") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Whether the key doesn't follow from the id's field.
    private static func needsKey(_ type: PlannedType) -> Bool { type.id == nil }

    /// Fields that their columns don't fill by name.
    private static func mapped(_ type: PlannedType) -> [PlannedField] {
        let plain = type.fields.map { ColumnName.plain($0.column) }
        return type.fields.enumerated().filter { index, field in
            plain[index] != ColumnName.plain(field.name) || field.column.contains { ".[".contains($0) }
                || plain.count(where: { $0 == plain[index] }) > 1
        }.map(\.element)
    }
}
