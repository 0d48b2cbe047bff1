import Foundation
import MarqueeModel

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The items of an RSS document (0.9 to 2.0) or an Atom feed, as rows whose columns are always the same.
///
/// Elements of other vocabularies are left out. Entities that a document declares aren't read, neither its own nor
/// external ones: it is refused.
enum RSSDocument {
    /// The most items of a document.
    static let items = 100_000
    /// The most bytes of a document.
    static let bytes = RecordFile.documentBytes

    /// The columns of each row. `categories` is a list; `published` and `updated` are as RFC 3339 writes times.
    enum Column: String, CaseIterable {
        /// The item's `guid` or `id`, else its link.
        case id
        case title, link, summary, content, published, updated, author, categories
        /// The address of an attached file.
        case enclosure
    }

    static let columns = Column.allCases.map(\.rawValue)

    /// - Throws: `malformed` for anything that isn't such a document from its beginning to its end.
    static func rows(of source: ImportSource) throws(ImportError) -> [RecordRow] {
        let bytes = try utf8(of: source)
        let reader = RSSReader(bytes)
        let parser = XMLParser(data: Data(bytes))
        parser.shouldProcessNamespaces = true
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isRead = parser.parse()
        if let refusal = reader.refusal { throw ImportError(.malformed, "\(source.name) \(refusal)") }
        guard isRead, reader.isComplete else {
            throw ImportError(.malformed, "\(source.name):\(max(1, parser.lineNumber)): this is not well-formed XML")
        }
        return reader.rows
    }

    /// The document in UTF-8, whatever encoding it declares, and without that declaration.
    private static func utf8(of source: ImportSource) throws(ImportError) -> [UInt8] {
        let bytes = try FileContent.read(source, limit: Self.bytes)
        guard source.encoding == nil else { return XMLDeclaration.removed(from: bytes) }
        let start = String(decoding: bytes.withoutByteOrderMark.prefix(256), as: UTF8.self)
        guard let name = XMLDeclaration.encoding(in: start) else { return Array(bytes.withoutByteOrderMark) }
        guard let converter = TextEncoding(name).flatMap({ TextConverter($0) }) else {
            throw ImportError(
                .malformed, "\(source.name) declares the encoding '\(Field.shown(name))', which isn't known")
        }
        do throws(TextConverter.Malformed) {
            return XMLDeclaration.removed(from: try converter.convert(bytes, isLast: true))
        } catch {
            throw ImportError(.malformed, "\(source.name):\(error.lines + 1): the file can't be read: \(error.reason)")
        }
    }

    /// A time of RFC 822, as RSS has it, in RFC 3339; any other text as it is.
    static func time(_ text: String) -> String {
        let zones = [
            "EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500", "MST": "-0700", "MDT": "-0600",
            "PST": "-0800", "PDT": "-0700",
        ]
        let words = (text.split(separator: ",", maxSplits: 1).last ?? "").split(whereSeparator: \.isWhitespace)
            .map(String.init)
        guard words.count == 5, var year = Int(words[2]) else { return text }
        // RFC 822 itself has years of two digits.
        if words[2].count == 2 { year += year < 70 ? 2_000 : 1_900 }
        let clock = words[3].split(separator: ":").count == 2 ? words[3] + ":00" : words[3]
        let plain = "\(words[0]) \(words[1]) \(year) \(clock) \(zones[words[4].uppercased()] ?? words[4])"
        return (try? TimeFormat("%d %b %Y %H:%M:%S %Z").time(plain))?.timestamp ?? text
    }
}

/// Collects items as a parser meets their parts.
private final class RSSReader: NSObject, XMLParserDelegate {
    private enum Vocabulary {
        case rss, atom, dublinCore, content

        init?(_ namespace: String) {
            switch namespace {
            case "", "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
                "http://backend.userland.com/rss2":
                self = .rss
            case "http://www.w3.org/2005/Atom": self = .atom
            case "http://purl.org/dc/elements/1.1/": self = .dublinCore
            case "http://purl.org/rss/1.0/modules/content/": self = .content
            default: return nil
            }
        }
    }

    private struct Item {
        var texts: [RSSDocument.Column: String] = [:]
        var categories: [String] = []

        /// Keeps the first text of a column.
        mutating func add(_ text: String, to column: RSSDocument.Column) {
            let text = Field.trimmed(text)
            guard !text.isEmpty else { return }
            switch column {
            case .categories: categories.append(text)
            case .published, .updated: texts[column] = texts[column] ?? RSSDocument.time(text)
            default: texts[column] = texts[column] ?? text
            }
        }

        func row(_ number: Int) -> RecordRow {
            var row = RecordRow(place: "item \(number)")
            var texts = texts
            texts[.id] = texts[.id] ?? texts[.link]
            for column in RSSDocument.Column.allCases {
                if let text = texts[column] {
                    row.cells.append(JSONValue.Member(name: column.rawValue, value: .text(text.composed)))
                } else if column == .categories, !categories.isEmpty {
                    row.cells.append(
                        JSONValue.Member(name: column.rawValue, value: .list(categories.map { .text($0.composed) })))
                }
            }
            return row
        }
    }

    /// An element whose text fills a column.
    private struct OpenText {
        var column: RSSDocument.Column
        /// Of the element.
        var depth: Int
        var text = ""
    }

    private let document: [UInt8]
    private(set) var rows: [RecordRow] = []
    /// Why the document isn't read on.
    private(set) var refusal: String?
    private var depth = 0
    private var item: (content: Item, depth: Int)?
    private var open: OpenText?
    /// The depth of the element with an author's name in it.
    private var authorDepth: Int?

    /// Whether the root element has ended.
    private(set) var isComplete = false

    init(_ document: [UInt8]) { self.document = document }

    private func refuse(_ reason: String, _ parser: XMLParser) {
        if refusal == nil { refusal = reason }
        parser.abortParsing()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        depth += 1
        let vocabulary = Vocabulary(namespaceURI ?? "")
        if depth == 1 {
            if !["rss", "RDF", "feed"].contains(name) { refuse("is XML, but neither RSS nor Atom", parser) }
            if hasEntities(beforeLine: parser.lineNumber, column: parser.columnNumber) {
                refuse("declares entities, which aren't read", parser)
            }
            return
        }
        guard let item else {
            let isItem = (name == "item" && vocabulary == .rss) || (name == "entry" && vocabulary == .atom)
            guard isItem else { return }
            var content = Item()
            // RSS 1.0 names items by an attribute.
            if let id = attributes.first(where: { $0.key == "about" || $0.key.hasSuffix(":about") })?.value {
                content.add(id, to: .id)
            }
            self.item = (content, depth)
            return
        }
        guard open == nil, let vocabulary else { return }
        if depth == authorDepth.map({ $0 + 1 }), name == "name" {
            open = OpenText(column: .author, depth: depth)
        } else if depth == item.depth + 1 {
            begin(name, vocabulary, attributes)
        }
    }

    /// An element directly in an item begins.
    private func begin(_ name: String, _ vocabulary: Vocabulary, _ attributes: [String: String]) {
        func add(_ attribute: String, to column: RSSDocument.Column) {
            if let text = attributes[attribute] { item?.content.add(text, to: column) }
        }
        let column: RSSDocument.Column
        switch (vocabulary, name) {
        case (.rss, "guid"), (.atom, "id"): column = .id
        case (.rss, "title"), (.atom, "title"): column = .title
        case (.rss, "link"): column = .link
        case (.rss, "description"), (.atom, "summary"): column = .summary
        case (.content, "encoded"), (.atom, "content"): column = .content
        case (.rss, "pubDate"), (.atom, "published"), (.dublinCore, "date"): column = .published
        case (.atom, "updated"): column = .updated
        case (.rss, "author"), (.dublinCore, "creator"): column = .author
        case (.rss, "category"), (.dublinCore, "subject"): column = .categories
        case (.rss, "enclosure"): return add("url", to: .enclosure)
        case (.atom, "category"): return add("term", to: .categories)
        case (.atom, "author"):
            authorDepth = depth
            return
        case (.atom, "link"):
            switch attributes["rel"] {
            case nil, "alternate": add("href", to: .link)
            case "enclosure": add("href", to: .enclosure)
            default: break
            }
            return
        default: return
        }
        open = OpenText(column: column, depth: depth)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        if let open, open.depth == depth {
            item?.content.add(open.text, to: open.column)
            self.open = nil
        }
        if authorDepth == depth { authorDepth = nil }
        if let item, item.depth == depth {
            rows.append(item.content.row(rows.count + 1))
            self.item = nil
            if rows.count > RSSDocument.items { refuse("has more than \(RSSDocument.items) items", parser) }
        }
        depth -= 1
        if depth == 0 { isComplete = true }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { open?.text += text }

    func parser(_ parser: XMLParser, foundCDATA bytes: Data) { open?.text += String(decoding: bytes, as: UTF8.self) }

    // MARK: - Entities

    /// Whether the document declares any before its root. Not every parser says so, but none would expand them.
    private func hasEntities(beforeLine line: Int, column: Int) -> Bool {
        let (line, column) = (max(1, line), max(0, column))
        let lines = document.split(separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        var prolog = lines.prefix(line - 1).flatMap { $0 + [UInt8(ascii: "\n")] }
        if lines.indices.contains(line - 1) { prolog += lines[line - 1].prefix(column) }
        return String(decoding: prolog, as: UTF8.self).contains("<!ENTITY")
    }
}
