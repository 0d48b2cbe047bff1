import MarqueeTypes
import Yams

/// Movies of TMDB's lists, by its API: asked for again and again.
package struct TMDBFeed: Hashable, Sendable {
    /// The most bytes of an answer, with its head.
    package static let answerBytes = 8 << 20

    /// A list of movies that the API has.
    enum List: String, CaseIterable {
        case popular, now_playing, upcoming, top_rated
    }

    /// The rows that it has, each of which is named like the preset type that they fit.
    enum Table: String, CaseIterable {
        case movie, genre, person, credits
    }

    /// In milliseconds.
    static let intervals: ClosedRange<UInt64> = 1_000...604_800_000
    static let timeouts: ClosedRange<UInt64> = 1_000...600_000
    /// Pages of each list, of 20 movies each.
    static let pageCounts = 1...25
    static let localeCount = 8

    package var address: FeedAddress
    /// The path of the file with the key.
    package var keyFile: String
    /// As the API names them, `ko-KR`; the texts that aren't by locale are those of the first.
    var locales = ["en-US"]
    var lists = List.allCases
    /// Where movies are playing or upcoming: a country's code.
    var region: String?
    /// Of each list, at most.
    var pages = 2
    /// Between two readings, in milliseconds.
    package var interval: UInt64 = 3_600_000
    /// Of one answer, in milliseconds.
    package var timeout: UInt64 = 30_000

    init(_ address: FeedAddress, keyFile: String) { (self.address, self.keyFile) = (address, keyFile) }

    /// Everything on which the rows depend.
    var shape: [String] {
        ["tmdb", address.text, region ?? "", "\(pages)"] + locales + ["in"] + lists.map(\.rawValue)
    }

    /// The language of a locale, by which records have texts.
    static func language(_ locale: String) -> String { String(locale.prefix { $0 != "-" }) }

    /// How a request carries the key: a key of the API's version 3 goes into the query, a token into a header.
    package enum Credential: Hashable, Sendable {
        case parameter(name: String, value: String)
        case header(name: String, value: String)

        package init(key: String) {
            self =
                key.contains(".")
                ? .header(name: "Authorization", value: "Bearer \(key)") : .parameter(name: "api_key", value: key)
        }
    }
}

// MARK: - In a source file

extension TMDBFeed {
    private static let keys = ["key-file", "address", "locales", "lists", "region", "pages", "every", "timeout"]
    private static let textBytes = 4_096
    private static let usualAddress = "https://api.themoviedb.org/3"

    init?(yaml node: Node, _ reader: inout YAMLReader) {
        guard let fields = reader.fields(node, "'tmdb'", allowed: Self.keys),
            let file = reader.required("key-file", in: fields).flatMap({
                reader.text($0, "'key-file'", atMost: Self.textBytes)
            })
        else { return nil }
        var text = Self.usualAddress
        if let node = fields["address"], let own = reader.text(node, "'address'", atMost: FeedAddress.bytes) {
            text = own
        }
        while text.hasSuffix("/") { text.removeLast() }
        do throws(FeedAddress.Mistake) {
            self.init(try FeedAddress(text), keyFile: SourceFile.path(file, from: reader.file))
        } catch {
            reader.report(fields["address"], "'address': \(error.reason)")
            return nil
        }
        interval = fields["every"].flatMap { reader.milliseconds($0, "'every'", in: Self.intervals) } ?? interval
        timeout = fields["timeout"].flatMap { reader.milliseconds($0, "'timeout'", in: Self.timeouts) } ?? timeout
        pages = fields["pages"].flatMap { reader.integer($0, "'pages'", in: Self.pageCounts) } ?? pages
        if let node = fields["locales"] { locales = Self.locales(node, &reader) }
        if let node = fields["lists"] { lists = Self.lists(node, &reader) }
        if let node = fields["region"], let text = reader.text(node, "'region'", atMost: 8) {
            if !Self.isCode(text, \.isUppercase) { reader.report(node, "'region' is a country's code, such as KR") }
            region = text
        }
    }

    private static func isCode(_ text: Substring, _ isIn: (Character) -> Bool) -> Bool {
        text.count == 2 && text.allSatisfy { $0.isASCII && isIn($0) }
    }

    private static func isCode(_ text: String, _ isIn: (Character) -> Bool) -> Bool { isCode(text[...], isIn) }

    private static func locales(_ node: Node, _ reader: inout YAMLReader) -> [String] {
        guard let nodes = reader.list(node, "'locales'", atMost: localeCount) else { return [] }
        var locales: [String] = []
        for node in nodes {
            guard let text = reader.text(node, "a locale", atMost: 16) else { continue }
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard isCode(parts[0], \.isLowercase),
                parts.count == 1 || (parts.count == 2 && isCode(parts[1], \.isUppercase))
            else {
                reader.report(node, "a locale is a language and a country, such as ko-KR, not '\(Field.shown(text))'")
                continue
            }
            guard !locales.contains(where: { language($0) == language(text) }) else {
                reader.report(node, "'locales' has the language '\(language(text))' twice")
                continue
            }
            locales.append(text)
        }
        if nodes.isEmpty { reader.report(node, "'locales' is empty") }
        return locales
    }

    private static func lists(_ node: Node, _ reader: inout YAMLReader) -> [List] {
        guard let nodes = reader.list(node, "'lists'", atMost: List.allCases.count) else { return [] }
        var lists: [List] = []
        for node in nodes {
            guard let text = reader.text(node, "a list", atMost: 64) else { continue }
            guard let list = List(rawValue: text) else {
                reader.reportUnknown(node, "list", of: "'tmdb'", List.allCases.map(\.rawValue))
                continue
            }
            if !lists.contains(list) { lists.append(list) }
        }
        if nodes.isEmpty { reader.report(node, "'lists' is empty") }
        return lists
    }
}
