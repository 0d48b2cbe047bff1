import MarqueeModel
import MarqueeStore

/// A page and its shelves while they are put together from a file.
///
/// Ids are those of the file where it has some, else derived from what identifies a thing there, so that importing it
/// again gives the same ids. An id that occurs twice is numbered. Sections and items have namespaces of their own.
struct PageDraft {
    let page: String
    let file: String
    private(set) var report = ImportReport()
    private(set) var sections: [Page.Section] = []
    private(set) var shelves: [Shelf] = []
    private var sectionIDs = UniqueIDs()
    private var items: [ShelfItem] = []
    private var itemIDs = UniqueIDs()

    /// - Throws: `malformed` for a page id that can't be one.
    init(page: String, file: String) throws(ImportError) {
        guard CatalogueBounds.isIdentifier(page, limit: PageDraft.pageID), !page.contains("/") else {
            throw ImportError(
                .malformed,
                "'\(Field.shown(page))' is no name for a page: it has 1 to \(PageDraft.pageID) bytes, no slash and no "
                    + "control characters")
        }
        self.page = page
        self.file = file
    }

    /// Bytes of a page's id, so that it fits into the ids of its shelves.
    private static let pageID = 40

    /// Adds an item to the section in progress; one that the catalogue would refuse is reported.
    /// - Parameters:
    ///   - id: what identifies it in its section.
    ///   - place: where it stands in the file, for people.
    mutating func add(_ content: ShelfItem.Content, id: String, at place: String) {
        let item = ShelfItem(id: itemIDs.unique(StableID.of(id, limit: StableID.itemBytes)), content: content)
        if let reason = CatalogueBounds.refusal(of: .shelfItem(shelf: page, item: item)) {
            return addBad(reason, at: place)
        }
        items.append(item)
    }

    /// Tells of something that is not imported, beside what is.
    mutating func note(_ reason: String, at place: String) {
        report.note(ImportReport.Problem(file: file, line: nil, reason: "\(place): \(reason)"))
    }

    mutating func addBad(_ reason: String, at place: String) {
        report.add(ImportReport.Problem(file: file, line: nil, reason: "\(place): \(reason)"))
    }

    /// Ends the section in progress. One without items is reported and left out.
    mutating func endSection(id: String, type: String, title: String, at place: String) {
        defer {
            items = []
            itemIDs = UniqueIDs()
        }
        guard !items.isEmpty else { return addBad("the section has no item that can be shown", at: place) }
        let id = sectionIDs.unique(StableID.of(id, limit: StableID.sectionBytes))
        let section = Page.Section(id: id, type: type, title: title, shelf: "\(page).\(id)")
        let alone = Page(id: page, sections: [section])
        if let reason = CatalogueBounds.refusal(of: .page(alone)) { return addBad(reason, at: place) }
        guard items.count <= CatalogueBounds.shelfItems else {
            return addBad("the section has more than \(CatalogueBounds.shelfItems) items", at: place)
        }
        sections.append(section)
        shelves.append(Shelf(id: section.shelf, items: items))
    }

    /// Writes the page with all its shelves as one commit. Shelves of the page that the file no longer has are emptied.
    /// - Throws: `malformed` when there is no section to show.
    mutating func write(to store: any CatalogueWriter) throws(ImportError) -> ImportReport {
        guard !sections.isEmpty else {
            // The report would get lost with the error.
            let first = report.problems.first.map { "; \($0.reason)" } ?? ""
            throw ImportError(.malformed, "\(file) has no section that can be shown\(first)")
        }
        guard sections.count <= CatalogueBounds.pageSections else {
            throw ImportError(
                .malformed,
                "\(file) has \(sections.count) sections; \(CatalogueBounds.pageSections) are allowed")
        }
        var changes = shelves.map { Change.shelf($0) }
        do throws(StoreError) {
            let present = Set(shelves.map(\.id))
            let gone = try earlierShelves(in: store).filter { !present.contains($0) }
            changes += gone.map { .shelf(Shelf(id: $0, items: [])) } + [.page(Page(id: page, sections: sections))]
            let outcome = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)]).first
            let rows = shelves.reduce(0) { $0 + $1.items.count }
            switch outcome {
            case .done(_, let changed): report.count(rows: rows, changed: changed)
            case .refused(let reason): throw StoreError(.invalid, reason)
            default: preconditionFailure("only a mutation can be met again, and an import makes none")
            }
        } catch {
            throw ImportError(.store, "\(file) was not imported: \(error)", storeError: error)
        }
        return report
    }

    private func earlierShelves(in store: any CatalogueWriter) throws(StoreError) -> [String] {
        var shelves: [String] = []
        _ = try store.snapshot { change in
            if case .page(let earlier) = change, earlier.id == page { shelves = earlier.sections.map(\.shelf) }
        }
        return shelves.filter { $0.hasPrefix("\(page).") }
    }
}

/// Numbers ids that occur again: `a`, `a-2`, `a-3`.
struct UniqueIDs {
    private var used: Set<String> = []

    mutating func unique(_ id: String) -> String {
        if used.insert(id).inserted { return id }
        var number = 2
        while !used.insert("\(id)-\(number)").inserted { number += 1 }
        return "\(id)-\(number)"
    }
}

/// Ids made from texts of a file.
enum StableID {
    /// Of a section: it becomes part of the id of a shelf.
    static let sectionBytes = 36
    /// Of an item, with room for a number.
    static let itemBytes = 100

    /// The text itself where it can be an id that programmes and shells take without quotes, else a hash of it.
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
