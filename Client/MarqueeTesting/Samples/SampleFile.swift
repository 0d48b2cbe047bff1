public import Foundation
public import MarqueeClient
import MarqueeModel
import MarqueeWire

/// Screens in a file, for previews and tests with real data.
///
/// The file contains the output of `marquee get SCREEN --bodies --output ndjson`, one screen per line:
///
/// ```
/// marquee get home --bodies --output ndjson >> Samples.ndjson
/// marquee get episode/pilot --bodies --output ndjson >> Samples.ndjson
/// ```
///
/// `--bodies` adds the received bytes, so that layouts and records are preserved. A file may also be written by hand,
/// without bodies: then its items are cards. Lines of other types are skipped.
public struct SampleFile: Sendable {
    /// The screens, one for each line, in order.
    public var screens: [SampleScreen]
    /// The subjects marked as favorites on any of them, in order.
    public var favorites: [Subject]

    /// - Throws: `SampleFileError` with the number of a line; or why the file can't be read.
    public init(contentsOf url: URL) throws {
        try self.init(Data(contentsOf: url))
    }

    /// - Parameter data: the contents of such a file.
    /// - Throws: `SampleFileError` with the number of a line.
    public init(_ data: Data) throws(SampleFileError) {
        screens = []
        favorites = []
        for (index, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
            do {
                let kind = try JSONDecoder().decode(LineKind.self, from: Data(line))
                guard kind.type == nil || kind.type == "snapshot" else { continue }
                let screen = try JSONDecoder().decode(ScreenLine.self, from: Data(line))
                screens.append(try screen.sample())
                favorites += screen.favorites.filter { !favorites.contains($0) }
            } catch {
                throw SampleFileError(line: index + 1, message: Self.words(error))
            }
        }
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "there is no '\(key.stringValue)'"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")): \(context.debugDescription)"
        default: "\(error)"
        }
    }
}

/// A mistake in a file of samples.
public struct SampleFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line's number, from 1.
    public var line: Int
    /// A message for people.
    public var message: String

    /// The line and what is wrong with it.
    public var description: String { "line \(line): \(message)" }
}

private struct LineKind: Decodable {
    var type: String?
}

/// A screen as a line of the file.
private struct ScreenLine: Decodable {
    var screen: String
    var title: String?
    var sections: [SectionLine]

    func sample() throws(SampleProblem) -> SampleScreen {
        var samples: [SampleSection] = []
        for section in sections { samples.append(try section.sample()) }
        return SampleScreen(ScreenID(screen), title: title ?? "", samples)
    }

    var favorites: [Subject] {
        sections.flatMap(\.items).compactMap { item in
            item.favorite == "yes" || item.favorite == "pending-yes" ? item.subject.map { Subject($0) } : nil
        }
    }
}

private struct SectionLine: Decodable {
    var id: String
    var kind: String?
    var title: String?
    var collection: String?
    var placeholders: Int?
    var head: Data?
    var items: [ItemLine]

    func sample() throws(SampleProblem) -> SampleSection {
        let known = kind.flatMap { kind in SectionKind.names.first { $0.1 == kind }?.0 }
        var section = SampleSection(id, kind: known ?? .list, title: title, placeholders: placeholders ?? 0)
        section.head.collection = collection.map { CollectionName($0) }
        if let head {
            guard let whole = BodyCodec.decodeSectionHead(Array(head)) else {
                throw SampleProblem("the head of section '\(id)' can't be read")
            }
            section.head = whole
        }
        // The file has only one window of one order.
        section.head.windows = []
        section.head.sorts = section.head.sorts.filter { $0.id == section.head.sort }
        for item in items { section.items.append(try item.sample()) }
        return section
    }
}

private struct ItemLine: Decodable {
    var id: String
    var kind: String?
    var subject: String?
    var favorite: String?
    var kindNumber: UInt32?
    var body: Data?
    var content: CardLine?

    func sample() throws(SampleProblem) -> SampleItem {
        let subject = subject.map { Subject($0) }
        if let kindNumber, let body {
            let content = BodyCodec.decode(kind: ItemKind(rawValue: kindNumber), bytes: Array(body))
            return SampleItem(id, subject: subject, content: content)
        }
        guard kind == nil || kind == "card" else {
            throw SampleProblem("item '\(id)' isn't a card, and has no body; export it with --bodies")
        }
        guard let content else { throw SampleProblem("item '\(id)' has no content") }
        return SampleItem(id, subject: subject, content: .card(content.card))
    }
}

/// A card in the form described in Docs/cli-output.md.
private struct CardLine: Decodable {
    var overline: String?
    var title: String?
    var subtitle: String?
    var caption: String?
    var image: ImageReference?
    var text: String?
    var badges: [Badge]?

    struct Badge: Decodable {
        var text: String
        var role: String?
    }

    var card: CardContent {
        var card = CardContent(title: title ?? "")
        card.overline = overline
        card.subtitle = subtitle
        card.caption = caption
        card.image = image
        card.text = text
        card.badges = (badges ?? []).map {
            CardContent.Badge(text: $0.text, role: $0.role.flatMap { CardContent.Badge.Role(rawValue: $0) } ?? .neutral)
        }
        return card
    }
}

private struct SampleProblem: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
