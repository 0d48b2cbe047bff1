import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import MarqueeStore
import MarqueeTypes
import MarqueeWire

@testable import MarqueeScreens

/// Makes records for tests: JSON of the types becomes the canonical bytes that the log contains.
struct RecordTypes {
    let document: TypesDocument
    let set: TypeSet

    init(_ declarations: String, descriptors: [UInt8]) throws {
        document = TypesDocument(declarations: declarations, descriptors: descriptors)
        set = try TypeSet(
            declarations, file: "types.yaml", descriptors: descriptors, builtIn: PresetSchema.recordKinds)
    }

    /// A type with one of every kind of field.
    ///
    /// - Parameter keys: more keys of the type's declaration.
    static func kitchen(_ keys: String = "") throws -> RecordTypes {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let descriptors = try Data(contentsOf: root.appending(path: "TypesTests/Fixtures/kitchen.desc"))
        return try RecordTypes(
            "descriptors: kitchen.desc\ntypes: {kitchen: {message: kitchen.v1.Kitchen\(keys.isEmpty ? "" : ", \(keys)")}}",
            descriptors: [UInt8](descriptors))
    }

    func put(_ type: String, _ id: String, _ json: String) throws -> Change {
        .put(RecordID(type: type, id: id), .bytes(try bytes(type, json)))
    }

    func bytes(_ type: String, _ json: String) throws -> [UInt8] {
        guard let declared = set.type(type) else { throw TestFailure("no type \(type)") }
        return try declared.coder.record(json: Array(json.utf8))
    }
}

extension Change {
    static func remove(_ type: String, _ id: String) -> Change { .remove(RecordID(type: type, id: id)) }
}

/// The podcast app of the samples.
enum Podcasts {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = root.appending(path: "Samples/podcasts")

    /// The part of a page of `Docs` below a heading of the second level.
    static func page(_ name: String, part: String) throws -> String {
        let page = try String(contentsOf: root.appending(path: "Docs/\(name).md"), encoding: .utf8)
        let parts = page.components(separatedBy: "\n## ")
        guard let found = parts.first(where: { $0.hasPrefix("\(part)\n") }) else {
            throw TestFailure("\(name) has no part \(part)")
        }
        return found
    }

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    static func types(_ declarations: String? = nil) throws -> RecordTypes {
        let descriptors = try Data(contentsOf: folder.appending(path: "podcast.desc"))
        return try RecordTypes(try declarations ?? text("types.yaml"), descriptors: [UInt8](descriptors))
    }
}

extension Screens {
    /// Screens at revision 1, with a programme from the catalogue.
    init(_ changes: [Change], types: RecordTypes, programme: String) throws {
        _ = try Programme.parse(text: programme, file: "test.yaml", types: types.set)
        self.init(
            snapshot: [.types(types.document), .programme(programme)] + changes, head: LogHead(epoch: 1, revision: 1),
            programmeFallback: Programme(locales: ["en"], screens: []))
        guard programmeErrors.isEmpty else { throw TestFailure("\(programmeErrors)") }
    }

    /// Watches every section of these screens.
    mutating func watchSections(of names: String...) throws {
        for name in names {
            for section in try plan(screen: name, locale: nil, parameters: [], user: nil).sections {
                _ = try watch(.section(section.variant), as: UInt64(sections.count) + 1, members: [])
            }
        }
    }
}

/// Commits a change. Returns the work done and the sections that changed.
func cost(of change: Change, in screens: inout Screens) throws -> (work: ScreenCounters, sections: [String]) {
    let before = screens.counters
    try screens.commit([change])
    let sections = screens.renew().keys.compactMap { screens.sections[$0]?.key.section }.sorted()
    return (screens.counters.since(before), sections)
}

extension ShownSection {
    var cards: [CardContent] {
        contents.compactMap { if case .card(let card) = $0 { card } else { nil } }
    }
    var titles: [String] { cards.map(\.title) }
}

/// Converts published changes into those in the log, as the store does: JSON becomes canonical bytes, and a merge
/// becomes the resulting record.
struct RecordJournal {
    private let types: RecordTypes
    private(set) var records: [RecordID: [UInt8]] = [:]
    private var lists: [ListName: RecordList] = [:]

    init(_ types: RecordTypes) { self.types = types }

    mutating func changes(ndjson text: String) throws -> [Change] {
        try text.split(separator: "\n").map { line in
            try logged(try Change(document: Array(line.utf8)))
        }
    }

    mutating func logged(_ change: Change) throws -> Change {
        switch change {
        case .put(let id, .json(let value)):
            return put(id, try coder(of: id).record(json: value))
        case .merge(let id, .json(let value), let clear, _):
            let coder = try coder(of: id)
            let patch = try coder.patch(json: value, clear: clear)
            return put(id, try coder.merge(patch, into: records[id] ?? []))
        case .remove(let id):
            records[id] = nil
            return change
        case .list(let list):
            let whole = RecordList(list.name, entries: try list.entries.map { try canonical($0, of: list.name) })
            lists[list.name] = whole
            return .list(whole)
        case .listItem(let edit):
            let known = lists[edit.list]?.entries.first { $0.key == edit.key }
            var logged = edit
            if var entry = edit.entry {
                entry.record = entry.record ?? known?.record
                entry.place = entry.place ?? known?.place
                logged.entry = try canonical(entry, of: edit.list)
            }
            lists[edit.list, default: RecordList(edit.list, entries: [])].apply(logged)
            return .listItem(logged)
        case .removeList(let name):
            lists[name] = nil
            return change
        default: return change
        }
    }

    private func canonical(_ entry: ListEntry, of list: ListName) throws -> ListEntry {
        guard let declaration = types.set.list(list.declared) else { throw TestFailure("no list \(list)") }
        var entry = entry
        if case .json(let value)? = entry.place {
            entry.place = .bytes(try declaration.place(json: value))
        }
        return entry
    }

    private mutating func put(_ id: RecordID, _ bytes: [UInt8]) -> Change {
        records[id] = bytes
        return .put(id, .bytes(bytes))
    }

    private func coder(of id: RecordID) throws -> RecordCoder {
        guard let type = types.set.type(id.type) else { throw TestFailure("no type \(id.type)") }
        return type.coder
    }
}
