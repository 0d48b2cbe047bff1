package import MarqueeCatalogue
package import MarqueeModel
import MarqueeTypes

/// A named list of publications that are kept outside the log until they become one commit.
package struct Draft: Hashable, Sendable {
    package let name: String
    /// Rises with each edit, and isn't reused by a later draft with the same name.
    package internal(set) var version: UInt64
    package private(set) var publications: [[Change]] = []
    /// Hashes of the pieces of the catalogue, as they were when a publication first touched them, in the order of
    /// `touched`.
    private(set) var bases: [UInt64] = []
    /// When it is to be published; `nil` if it isn't scheduled.
    package internal(set) var due: Moment?
    /// Whether to publish it then even if it conflicts with newer changes in the catalogue.
    package internal(set) var ignoresConflicts = false
    /// A message for people: why it wasn't published when it was due.
    package internal(set) var problem: String?

    init(_ name: String, version: UInt64) {
        self.name = name
        self.version = version
    }

    /// All of its changes, in order.
    package var changes: [Change] { publications.flatMap { $0 } }

    /// The pieces of the catalogue that it touches, each once, in the order of the first change of each.
    var touched: [RecordName] { Self.touched(by: changes) }

    private static func touched(by changes: some Sequence<Change>) -> [RecordName] {
        var seen: Set<RecordName> = []
        return changes.compactMap(\.touched).filter { seen.insert($0).inserted }
    }

    /// - Parameter stored: reads the record that the catalogue has under a name.
    mutating func add(_ publication: [Change], stored: (RecordName) throws -> CatalogueRecord?) rethrows {
        publications.append(publication)
        for name in touched.dropFirst(bases.count) { bases.append(try Self.sum(of: stored(name))) }
    }

    /// The pieces that have changed in the catalogue since the draft first touched them.
    func conflicts(stored: (RecordName) throws -> CatalogueRecord?) rethrows -> [RecordName] {
        try zip(touched, bases).filter { name, base in try Self.sum(of: stored(name)) != base }.map(\.0)
    }

    /// 0 for a piece that doesn't exist.
    private static func sum(of record: CatalogueRecord?) -> UInt64 {
        guard let record else { return 0 }
        var hash = Fingerprint()
        hash.add(ChangeCoding.encode([record.change]))
        return hash.value
    }

    // MARK: - Bounds

    /// The most drafts of a catalogue.
    package static let maximumDrafts = 64
    /// The most publications in one draft.
    package static let maximumPublications = 256
    /// The most bytes of one draft as JSON; it has to fit into one commit.
    package static let maximumBytes = 8 << 20
    /// The most bytes of all drafts together.
    package static let maximumTotal = 64 << 20
    /// The most bytes of a name.
    package static let maximumName = 64

    /// Why a draft can't have this name; `nil` if it can. Scopes name drafts, so a name has neither spaces nor
    /// asterisks.
    package static func refusal(ofName name: String) -> String? {
        let isAllowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isAllowed, (1...maximumName).contains(name.utf8.count) else {
            return "the name of a draft has 1 to \(maximumName) letters from a to z, digits, '-', '_' and '.', "
                + "not '\(name.prefix(maximumName))'"
        }
        return nil
    }

    // MARK: - As stored

    /// The publications and bases as JSON.
    var content: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("bases")
            writer.list { writer in for base in bases { writer.word("\(base)") } }
            writer.name("publications")
            writer.list { writer in
                for publication in publications {
                    writer.list { writer in for change in publication { change.write(to: &writer) } }
                }
            }
        }
        return writer.text
    }

    /// - Parameter content: in the form of the property `content`.
    init(_ summary: DraftSummary, content: String) throws {
        self.init(summary.name, version: summary.version)
        (due, problem, ignoresConflicts) = (summary.due, summary.problem, summary.ignoresConflicts)
        let value = try JSONValue(parsing: Array(content.utf8), atMost: .max)
        guard case .object(let members) = value,
            case .list(let bases)? = members.first(where: { $0.name == "bases" })?.value,
            case .list(let publications)? = members.first(where: { $0.name == "publications" })?.value
        else { throw MalformedRow() }
        self.bases = try bases.map { value in
            guard case .number(let digits) = value, let sum = UInt64(digits) else { throw MalformedRow() }
            return sum
        }
        self.publications = try publications.map { value in
            guard case .list(let changes) = value else { throw MalformedRow() }
            return try changes.map { change in
                try RecordMistakes.refusing { (mistakes: inout RecordMistakes) in Change(change, &mistakes) }
            }
        }
        guard self.bases.count == touched.count else { throw MalformedRow() }
    }

    package var summary: DraftSummary { summary(bytes: content.utf8.count) }

    func summary(bytes: Int) -> DraftSummary {
        DraftSummary(
            name: name, version: version, due: due, ignoresConflicts: ignoresConflicts, problem: problem,
            publications: publications.count, changes: publications.reduce(0) { $0 + $1.count }, bytes: bytes)
    }
}

/// A draft without its changes.
package struct DraftSummary: Hashable, Sendable {
    package var name: String
    package var version: UInt64
    package var due: Moment?
    package var ignoresConflicts: Bool
    package var problem: String?
    package var publications: Int
    package var changes: Int
    package var bytes: Int

    /// One line of JSON, without the line's end.
    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            func text(_ name: String, _ value: String?) {
                guard let value else { return }
                writer.name(name)
                writer.string(value)
            }
            text("draft", name)
            for (name, number) in [
                ("publications", UInt64(publications)), ("changes", UInt64(changes)), ("bytes", UInt64(bytes)),
                ("version", version),
            ] {
                writer.name(name)
                writer.word("\(number)")
            }
            text("at", due?.text)
            if due != nil, ignoresConflicts {
                writer.name("despiteConflicts")
                writer.word("true")
            }
            text("problem", problem)
        }
        return writer.text
    }
}

/// A store that keeps drafts.
package protocol DraftStore: StoreEngine {
    /// All drafts, by name.
    func drafts() throws(StoreError) -> [DraftSummary]
    /// - Returns: `nil` if there is no such draft.
    func draft(_ name: String) throws(StoreError) -> Draft?
}

extension Change {
    /// The piece of the catalogue that it changes, whose earlier state a draft remembers; `nil` for a change that can't
    /// be published.
    var touched: RecordName? {
        switch self {
        case .put(let id, _), .merge(let id, _, _, _), .remove(let id): .typed(id)
        case .list(let list): .list(list.name)
        case .listItem(let edit): .list(edit.list)
        case .removeList(let name): .list(name)
        case .show(let list, _): .shownEdition(list: list)
        case .chooseEntry(let pool, _), .chooseRecord(let pool, _), .removeChoice(let pool): .choice(pool: pool)
        case .page(let page): .page(page.id)
        case .removePage(let id): .page(id)
        case .programme: .programme
        case .types: .types
        case .time, .source: nil
        }
    }
}

extension RecordName {
    /// A name for people, close to the one that scopes use: `episode/e1`, `list/top`, `page/home`.
    var label: String {
        switch self {
        case .typed(let id): id.subject.name
        case .list(let name): ["list", name.list, name.edition].compactMap { $0 }.joined(separator: "/")
        case .listEntry(let name, let key): "list/\(name.list) \(key)"
        case .shownEdition(let list): "the shown edition of list/\(list)"
        case .choice(let pool): "pool/\(pool)"
        case .page(let id): "page/\(id)"
        case .programme: "the programme"
        case .types: "the types"
        case .time: "the time"
        case .source(let name): "source/\(name)"
        }
    }
}
