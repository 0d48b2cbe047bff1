import MarqueeModel

extension Programme {
    /// The renditions of a section, or of a style of sections, that has values by audience.
    ///
    /// A rendition is named by the cases that apply, and keeps its name in a newer programme. Renditions with equal
    /// content count as one, so that their readers share a variant.
    package struct Renditions<Content: Hashable & Sendable>: Hashable, Sendable {
        /// The lists of cases, each once, by the readers of their cases in order. The value that follows the last case
        /// is for all others.
        let cases: [[Readership]]
        /// The content of every rendition by its name; the fallback isn't among them.
        private(set) var contents: [RenditionName: Content] = [:]
        /// The name of the first rendition with the same content, for those that aren't the first.
        private var firstNames: [RenditionName: RenditionName] = [:]

        init(cases: [[Readership]]) { self.cases = cases }

        /// Adds a rendition.
        ///
        /// - Parameter fallback: the content without any case.
        mutating func add(_ content: Content, named name: RenditionName, fallback: Content) {
            if content == fallback {
                firstNames[name] = .fallback
            } else if let first = contents.filter({ $0.value == content }).keys.min(), first != name {
                firstNames[name] = firstNames[first] ?? first
            }
            contents[name] = content
        }

        /// The name of a reader's rendition.
        func name(for claims: Claims, user: String?) -> RenditionName {
            let name = RenditionName(
                cases.map { cases in cases.first { $0.admits(claims, user: user) } })
            return firstNames[name] ?? (contents[name] == nil ? .fallback : name)
        }

        /// The same with other contents.
        func map<Other: Hashable & Sendable>(
            fallback: Other, _ transform: (Content) -> Other
        ) -> Renditions<Other> {
            var mapped = Renditions<Other>(cases: cases)
            for (name, content) in contents.sorted(by: { $0.key < $1.key }) {
                mapped.add(transform(content), named: name, fallback: fallback)
            }
            return mapped
        }
    }
}

/// Names a section's rendition: for each list of cases the audiences of the one that applies.
package struct RenditionName: Hashable, Comparable, Sendable {
    /// That of readers to whom no case applies, and of sections without cases.
    package static let fallback = RenditionName([])

    /// Empty texts stand for lists of which no case applies; there are no texts if none applies at all.
    package let audiences: [String]

    /// - Parameter readerships: the readers of the case that applies in each list, `nil` if none does.
    init(_ readerships: [Programme.Readership?]) {
        audiences = readerships.contains { $0 != nil } ? readerships.map { $0?.name ?? "" } : []
    }

    package static func < (first: RenditionName, second: RenditionName) -> Bool {
        first.audiences.lexicographicallyPrecedes(second.audiences)
    }
}

extension Programme.Readership {
    /// Its audiences as a text: `premium`, `premium+beta`, or `not premium`.
    package var name: String { (excludes ? "not " : "") + audiences.map(\.name).joined(separator: "+") }

    /// Whether all readers that it admits are known to be admitted by the other one.
    func isWithin(_ other: Programme.Readership) -> Bool {
        switch (excludes, other.excludes) {
        case (false, false):
            audiences.allSatisfy { audience in other.audiences.contains { audience.isWithin($0) } }
        case (true, true): other.audiences.allSatisfy { audience in audiences.contains { audience.isWithin($0) } }
        default: false
        }
    }
}

extension Programme.Audience {
    /// Whether all its members are known to be in the other audience: each of the other's conditions follows from one
    /// of its own.
    fileprivate func isWithin(_ other: Programme.Audience) -> Bool {
        name == other.name
            || !other.conditions.isEmpty
                && other.conditions.allSatisfy { condition in conditions.contains { $0.implies(condition) } }
    }
}

extension Programme.AudienceCondition {
    fileprivate func implies(_ other: Programme.AudienceCondition) -> Bool {
        switch (self, other) {
        case (.claim(let name, .oneOf(let values)), .claim(let otherName, .oneOf(let others))):
            name == otherName && Set(values).isSubset(of: others)
        case (.bucket(let bucket), .bucket(let other)):
            bucket.salt == other.salt && !bucket.from.isBelow(other.from) && !other.below.isBelow(bucket.below)
        default: self == other
        }
    }
}

extension Programme.Screen {
    /// The sections, and all their other renditions.
    var allSections: [Programme.Section] {
        sections.flatMap { [$0] + (renditions[$0.id]?.contents.sorted { $0.key < $1.key }.map(\.value) ?? []) }
    }

    /// The audiences that the screen depends on.
    var audiences: Set<Programme.Audience> {
        let lists = renditions.values.flatMap(\.cases) + (titles?.cases ?? [])
        let readerships = sections.compactMap(\.readership) + lists.joined()
        return Set(readerships.flatMap(\.audiences))
    }

    /// A section's rendition; `nil` if there is no such section or rendition.
    func section(_ id: String, _ name: RenditionName) -> Programme.Section? {
        name == .fallback ? sections.first { $0.id == id } : renditions[id]?.contents[name]
    }

    /// A reader's rendition of a section.
    func rendition(
        of section: Programme.Section, for claims: Claims, user: String?
    ) -> (name: RenditionName, section: Programme.Section) {
        let name = renditions[section.id]?.name(for: claims, user: user) ?? .fallback
        return (name, self.section(section.id, name) ?? section)
    }
}
