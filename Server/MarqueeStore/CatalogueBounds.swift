import Foundation
package import MarqueeCatalogue
import MarqueeModel

/// The limits on what a catalogue accepts. Text is measured in bytes of UTF-8.
package enum CatalogueBounds {
    package static let title = 4_096
    /// The type of a page's section.
    package static let name = 4_096
    /// Names of lists and pools.
    package static let identifier = 256
    /// The key of a commit.
    package static let commitKey = 1_024
    package static let programme = 1 << 20
    /// The type declarations, and the descriptor set they refer to.
    package static let declarations = 1 << 20
    package static let descriptors = 1 << 20
    /// The most fields that a merge may clear.
    package static let clearedFields = 256
    /// The id of a page; no slash.
    package static let pageID = 80
    /// The id of a page's section.
    package static let sectionID = 110
    package static let pageSections = 64
    /// Entries of a list, or of one of its editions.
    package static let listEntries = 10_000
    package static let listEditions = 4_000
    /// The name of an edition.
    package static let edition = 64
    /// The key of a list's entry.
    package static let listKey = Subject.maximumLength
    /// The name of a source, and its position.
    package static let source = 64
    package static let sourcePosition = 256
    package static let changesPerCommit = 100_000
    /// Bytes of records that the merges of one commit may read again after it has written them.
    package static let bytesReadAgain = 64 << 20
    package static let userName = 128
    /// SQLite's integers are signed, so the upper half of `UInt64` is out.
    package static let largestNumber = UInt64(Int64.max)

    /// Whether `name` is a valid name or id: 1 to `limit` bytes, no control characters, in Unicode's composed form
    /// (NFC).
    ///
    /// Swift compares strings by canonical equivalence and SQLite by bytes; for composed text both are the same.
    package static func isIdentifier(_ name: String, limit: Int) -> Bool {
        guard (1...limit).contains(name.utf8.count) else { return false }
        if name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return true }
        guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { return false }
        return name.precomposedStringWithCanonicalMapping.utf8.elementsEqual(name.utf8)
    }

    /// The one rule for names and ids, in words.
    /// - Parameter what: such as `the id of a record`.
    /// - Returns: why the name isn't valid, or `nil`.
    package static func refusal(of name: String, _ what: String, limit: Int) -> String? {
        isIdentifier(name, limit: limit) ? nil : identifierRule(what, limit: limit)
    }

    /// The rule of `isIdentifier` in words.
    package static func identifierRule(_ what: String, limit: Int) -> String {
        "\(what) has 1 to \(limit) bytes, no control characters, and is in Unicode's composed form (NFC)"
    }

    /// - Returns: why a page can't have this id, or `nil`.
    /// - Parameter limit: fewer bytes for a page whose id is part of other names.
    package static func refusal(ofPage id: String, limit: Int = pageID) -> String? {
        let what = "the id of a page"
        return id.contains("/") ? "\(what) has no slash" : refusal(of: id, what, limit: limit)
    }

    /// - Returns: why no catalogue can accept the change, judged by the change alone; `nil` if nothing is wrong.
    package static func refusal(of change: Change) -> String? {
        var check = BoundsCheck()
        switch change {
        case .chooseEntry(let pool, let entry):
            check.name(pool, of: "pool")
            check.key(entry)
        case .chooseRecord(let pool, let record):
            check.name(pool, of: "pool")
            check.record(record)
        case .removeChoice(let pool): check.name(pool, of: "pool")
        case .page(let page): check.page(page)
        case .removePage(let id): check.pageID(id)
        case .programme(let text): check.text(text, "the programme", CatalogueBounds.programme, required: true)
        case .types(let types): check.types(types)
        case .put(let id, _), .remove(let id): check.record(id)
        case .merge(let id, _, let clear, _):
            check.record(id)
            check.count(clear.count, "clear", CatalogueBounds.clearedFields)
        case .list(let list): check.list(list)
        case .listItem(let edit): check.edit(edit)
        case .show(let list, let edition): check.list(ListName(list, edition: edition))
        case .removeList(let name): check.list(name)
        case .time: break
        case .source(let position):
            check.identifier(position.source, "the name of a source", limit: source)
            for text in [position.position, position.expected] {
                check.text(text, "the position of a source", sourcePosition, required: true)
            }
        }
        return check.reason
    }
}

/// Checks one change and keeps the first mistake.
struct BoundsCheck {
    var reason: String?

    mutating func fail(_ text: @autoclosure () -> String) {
        if reason == nil { reason = text() }
    }

    mutating func text(_ text: String?, _ what: String, _ limit: Int, required: Bool = false) {
        guard let text else { return }
        let count = text.utf8.count
        if required, count == 0 { fail("\(what) is empty") }
        if count > limit { fail("\(what) has \(count) bytes; \(limit) are allowed") }
        // The wire format forbids NUL, and the C libraries of the databases would end the text there.
        if text.utf8.contains(0) { fail("\(what) contains a NUL character") }
    }

    /// - Parameter what: such as `the id of a record`.
    mutating func identifier(_ text: String, _ what: String, limit: Int) {
        if let refusal = CatalogueBounds.refusal(of: text, what, limit: limit) { fail(refusal) }
    }

    /// - Parameter what: the kind of thing that has the name, such as `pool`.
    mutating func name(_ text: String, of what: String) {
        identifier(text, "the name of a \(what)", limit: CatalogueBounds.identifier)
    }

    mutating func count(_ count: Int, _ what: String, _ limit: Int) {
        if count > limit { fail("\(what) has \(count) entries; \(limit) are allowed") }
    }
}
