import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueeStore
import MarqueeTypes

/// A page and its shelves, as they are being built from a file.
///
/// Ids come from the file if it has them, else from whatever identifies a thing there, so that a second import gives
/// the same ids. An id that occurs twice is numbered. Sections and items have separate namespaces.
struct PageDraft {
    let page: String
    let file: String
    private(set) var report = ImportReport()
    private(set) var sections: [Page.Section] = []
    private(set) var shelves: [Shelf] = []
    private var sectionIDs = UniqueIDs()
    private var items: [ShelfItem] = []
    private var itemIDs = UniqueIDs()
    private let types: TypeSet

    /// - Parameter types: the types by which items are judged.
    /// - Throws: `malformed` for an invalid page id.
    init(page: String, file: String, types: TypeSet) throws(ImportError) {
        let page = page.composed
        if let refusal = CatalogueBounds.refusal(ofPage: page, limit: PageDraft.pageID) {
            throw ImportError(.malformed, "'\(Field.shown(page))': \(refusal)")
        }
        self.page = page
        self.file = file
        self.types = types
    }

    /// The most bytes of a page's id, so that it fits into the ids of its shelves.
    private static let pageID = 40

    /// Adds an item to the current section; one that the catalogue would refuse is reported.
    /// - Parameters:
    ///   - id: what identifies it within its section.
    ///   - place: its place in the file, for people.
    mutating func add(_ content: ShelfItem.Content, id: String, at place: String) {
        let plain = StableID.of(id, limit: StableID.itemBytes)
        let item = ShelfItem(id: itemIDs.unique(plain), content: content)
        let record = item.record(on: page)
        if let reason = item.fault ?? record.content.flatMap({ types.fault(of: record.id, .json($0)) }) {
            return addBad(reason, at: place)
        }
        if item.id != plain { note(PageDraft.renamed(plain, to: item.id), at: place) }
        items.append(item)
    }

    /// The text of a note about an id that is already in use.
    private static func renamed(_ id: String, to own: String) -> String {
        "the id '\(Field.shown(id))' was used before; this one is kept as '\(own)'"
    }

    /// Reports a part that is not imported, while the rest is.
    mutating func note(_ reason: String, at place: String) {
        report.note(ImportReport.Problem(file: file, line: nil, reason: "\(place): \(reason)"))
    }

    mutating func addBad(_ reason: String, at place: String) {
        report.add(ImportReport.Problem(file: file, line: nil, reason: "\(place): \(reason)"))
    }

    /// Ends the current section. One without items is reported and left out.
    mutating func endSection(id: String, type: String, title: String, at place: String) {
        defer {
            items = []
            itemIDs = UniqueIDs()
        }
        guard !items.isEmpty else { return addBad("the section has no item that can be shown", at: place) }
        let plain = StableID.of(id, limit: StableID.sectionBytes)
        let id = sectionIDs.unique(plain)
        if id != plain { note(PageDraft.renamed(plain, to: id), at: place) }
        let section = Page.Section(id: id, type: type, title: title, list: PresetCatalogue.shelf("\(page).\(id)"))
        let alone = Page(id: page, sections: [section])
        if let reason = CatalogueBounds.refusal(of: .page(alone)) { return addBad(reason, at: place) }
        guard items.count <= CatalogueBounds.listEntries else {
            return addBad("the section has more than \(CatalogueBounds.listEntries) items", at: place)
        }
        sections.append(section)
        shelves.append(Shelf(id: "\(page).\(id)", items: items))
    }

    /// Lets texts whose actions have no target lead to the section below them, if it is of this type: to
    /// `screen/<shelf>`.
    mutating func link(to type: String, screen: String) {
        for (index, next) in zip(shelves.indices, sections.dropFirst()) where next.type == type {
            let target = "\(screen)/\(page).\(next.id)"
            for place in shelves[index].items.indices {
                guard case .text(var text) = shelves[index].items[place].content, text.action?.target.isEmpty == true
                else { continue }
                text.action?.target = target
                shelves[index].items[place].content = .text(text)
            }
        }
    }

    /// Writes the page with all its shelves as one commit. What the page no longer has is removed.
    /// - Throws: `malformed` when there is no section to show.
    mutating func write(with importer: Importer) throws(ImportError) -> ImportReport {
        guard !sections.isEmpty else {
            // Without this, the report would be lost with the error.
            let first = report.problems.first.map { "; \($0.reason)" } ?? ""
            throw ImportError(.malformed, "\(file) has no section that can be shown\(first)")
        }
        guard sections.count <= CatalogueBounds.pageSections else {
            throw ImportError(
                .malformed,
                "\(file) has \(sections.count) sections; \(CatalogueBounds.pageSections) are allowed")
        }
        try importer.putPresetTypes()
        var changes = shelves.flatMap(\.changes)
        let rows = shelves.reduce(0) { $0 + $1.items.count }
        let isNew: Bool
        do throws(StoreError) {
            changes += try removals(from: importer.store) + [.page(Page(id: page, sections: sections))]
            let outcome = try importer.store.write([.catalogue(key: nil, changes: changes, mutation: nil)]).first
            switch outcome {
            case .done(_, let changed): isNew = changed
            case .refused(let reason): throw StoreError(.invalid, reason)
            default: preconditionFailure("only a mutation can be met again, and an import makes none")
            }
        } catch {
            throw ImportError(.store, "\(file) was not imported: \(error)", storeError: error)
        }
        let row = ImportedRow(file: file, line: nil, rows: rows, changes: changes, isNew: isNew)
        if let reason = try importer.keep(row) { throw ImportError(.refused, "\(file): \(reason)") }
        report.count(rows: rows, changed: isNew)
        return report
    }

    /// Removes the shelves that the page no longer has, and the records that its shelves no longer hold.
    private func removals(from store: any CatalogueWriter) throws(StoreError) -> [Change] {
        let prefix = PresetCatalogue.shelf("\(page).")
        let lists = Set(sections.map(\.list))
        let records = Set(shelves.flatMap { shelf in shelf.items.map { $0.record(on: shelf.id).id } })
        var earlier: [RecordList] = []
        var owned: Set<String> = []
        _ = try store.snapshot { change in
            switch change {
            case .list(let list) where list.name.list.hasPrefix(prefix): earlier.append(list)
            case .page(let earlier) where earlier.id == page:
                owned = Set(earlier.sections.map(\.list).filter { $0.hasPrefix(prefix) })
            default: break
            }
        }
        earlier = earlier.filter { owned.contains($0.name.list) }
        let gone = earlier.flatMap { list in
            // The id of a record that belongs to the shelf begins with the shelf's name.
            let own = list.name.list.drop { $0 != "/" }.dropFirst() + "/"
            return list.entries.compactMap(\.record).filter { $0.id.hasPrefix(own) && !records.contains($0) }
        }
        return gone.map { .remove($0) } + earlier.filter { !lists.contains($0.name.list) }.map { .removeList($0.name) }
    }
}

/// Numbers repeated ids: `a`, `a-2`, `a-3`.
struct UniqueIDs {
    private var used: Set<String> = []

    mutating func unique(_ id: String) -> String {
        if used.insert(id).inserted { return id }
        var number = 2
        while !used.insert("\(id)-\(number)").inserted { number += 1 }
        return "\(id)-\(number)"
    }
}

/// Ids derived from a file's texts.
enum StableID {
    /// The most bytes of a section's id, which becomes part of a shelf's id.
    static let sectionBytes = 36
    /// The most bytes of an item's id, leaving room for a number.
    static let itemBytes = 100

    /// The text itself if programmes and shelves can use it as an id without quotes, else a hash of it.
    static func of(_ text: String, limit: Int) -> String {
        let isPlain = (1...limit).contains(text.utf8.count) && text.unicodeScalars.allSatisfy(StableID.isAllowed)
        return isPlain ? text : hash([text])
    }

    /// 16 hexadecimal digits.
    static func hash(_ texts: [String]) -> String {
        let digits = String(Fingerprint.of(texts: texts), radix: 16)
        return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
