import MarqueeTypes
import Yams

/// Rows at an address: JSON, NDJSON or a table, in one page or several, asked for again and again.
package struct HTTPFeed: Hashable, Sendable {
    /// How a page leads to the next one.
    package enum Paging: Hashable, Sendable {
        /// There is none.
        case single
        /// By the header `Link` with `rel="next"`.
        case links
        /// By a value in the document: an address, or what a parameter of the first address is then.
        case cursor(path: [String], parameter: String?)
    }

    package struct Header: Hashable, Sendable {
        package var name: String
        package var value: Value

        package enum Value: Hashable, Sendable {
            case text(String)
            /// The first line of a file, which is read for each reading of the rows.
            case file(String)
        }
    }

    /// In milliseconds.
    static let intervals: ClosedRange<UInt64> = 1_000...604_800_000
    static let timeouts: ClosedRange<UInt64> = 1_000...600_000
    /// Bytes of one answer.
    static let bodies = 1_024...(256 << 20)
    static let pageCounts = 1...100_000
    static let headers = 32
    static let headerBytes = 8_192
    /// Redirects of one page.
    static let redirects = 5

    package var address: FeedAddress
    /// How each page is read.
    package var file: RecordFile
    package var headers: [Header] = []
    package var paging = Paging.single
    /// Between two readings, in milliseconds.
    package var interval: UInt64 = 60_000
    /// Of one answer, in milliseconds.
    package var timeout: UInt64 = 30_000
    /// The most bytes of one answer.
    package var bytes = 64 << 20
    /// The most pages of one reading.
    package var pages = 1_000

    package init(_ address: FeedAddress) {
        self.address = address
        file = RecordFile(path: address.description)
    }

    /// Everything on which the rows depend.
    var shape: [String] {
        ["http", address.text, "\(file)", "\(paging)"]
            + headers.map { header in
                if case .text(let text) = header.value { "\(header.name): \(text)" } else { header.name }
            }
    }
}

// MARK: - In a source file

extension HTTPFeed {
    private static let keys = ["url", "every", "headers", "next", "timeout", "bytes", "pages"]
    private static let textBytes = 4_096
    /// Headers that follow from the request.
    private static let ownHeaders: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "if-none-match", "if-modified-since",
        "accept-encoding", "range",
    ]
    /// Headers that let others in, and so aren't written where others read.
    private static let secretHeaders: Set<String> = ["authorization", "proxy-authorization", "cookie"]

    /// `https://…`, or `{url: https://…, every: 5m}` with the settings that a file has.
    init?(yaml node: Node, _ reader: inout YAMLReader) {
        var fields: YAMLFields?
        var place = node
        if node.scalar == nil {
            guard let found = reader.fields(node, "'http'", allowed: Self.keys + RecordFile.settings),
                let url = reader.required("url", in: found)
            else { return nil }
            (fields, place) = (found, url)
        }
        var address: FeedAddress?
        if let text = reader.text(place, "'url'", atMost: FeedAddress.bytes) {
            do throws(FeedAddress.Mistake) { address = try FeedAddress(text) } catch {
                reader.report(place, "'url': \(error.reason)")
            }
        }
        // The other mistakes are found all the same.
        guard let readable = address ?? Self.example else { return nil }
        self.init(readable)
        if let fields { set(fields, &reader) }
        if address == nil { return nil }
    }

    private static let example = try? FeedAddress("https://api.example/products")

    private mutating func set(_ fields: YAMLFields, _ reader: inout YAMLReader) {
        file.set(fields, &reader)
        interval = fields["every"].flatMap { reader.milliseconds($0, "'every'", in: Self.intervals) } ?? interval
        timeout = fields["timeout"].flatMap { reader.milliseconds($0, "'timeout'", in: Self.timeouts) } ?? timeout
        bytes = fields["bytes"].flatMap { reader.integer($0, "'bytes'", in: Self.bodies) } ?? bytes
        pages = fields["pages"].flatMap { reader.integer($0, "'pages'", in: Self.pageCounts) } ?? pages
        if let node = fields["headers"] { headers = Self.headers(node, &reader) }
        if let node = fields["next"] { paging = Self.paging(node, &reader) ?? paging }
        if case .single = paging, let node = fields["pages"] {
            reader.report(
                node, "'pages' goes with 'next', which says how a page leads to the next one, such as next: link")
        }
    }

    private static func paging(_ node: Node, _ reader: inout YAMLReader) -> Paging? {
        if case .scalar(let scalar) = node {
            if scalar.string == "link" { return .links }
            reader.report(node, "'next' is link, or {cursor: meta.next, parameter: after}")
            return nil
        }
        guard let fields = reader.fields(node, "'next'", allowed: ["cursor", "parameter"]),
            let cursor = reader.required("cursor", in: fields).flatMap({
                reader.text($0, "'cursor'", atMost: textBytes)
            })
        else { return nil }
        let parameter = fields["parameter"].flatMap { reader.text($0, "'parameter'", atMost: textBytes) }
        return .cursor(path: cursor.split(separator: ".").map(String.init), parameter: parameter)
    }

    private static func headers(_ node: Node, _ reader: inout YAMLReader) -> [Header] {
        guard let entries = reader.entries(node, "'headers'", atMost: headers) else { return [] }
        return entries.compactMap { entry in
            guard let name = reader.text(entry.key, "the name of a header", atMost: textBytes) else { return nil }
            guard name.utf8.allSatisfy({ isToken($0) }) else {
                reader.report(entry.key, "'\(Field.shown(name))' can't be the name of a header")
                return nil
            }
            guard !ownHeaders.contains(name.lowercased()) else {
                reader.report(entry.key, "the header '\(name)' follows from the request; leave it out")
                return nil
            }
            guard case .scalar = entry.value else { return secret(name, entry.value, &reader) }
            guard let text = reader.text(entry.value, "'\(name)'", atMost: headerBytes) else { return nil }
            guard !secretHeaders.contains(name.lowercased()) else {
                reader.report(
                    entry.value,
                    "'\(name)' is secret, and this file isn't: write it into one of its own, and name that: "
                        + "\(name): {file: token.txt}")
                return nil
            }
            guard isHeaderValue(text) else {
                reader.report(entry.value, "'\(name)' has to be one line of visible ASCII")
                return nil
            }
            return Header(name: name, value: .text(text))
        }
    }

    private static func secret(_ name: String, _ node: Node, _ reader: inout YAMLReader) -> Header? {
        guard let fields = reader.fields(node, "'\(name)'", allowed: ["file"]),
            let path = reader.required("file", in: fields).flatMap({ reader.text($0, "'file'", atMost: textBytes) })
        else { return nil }
        return Header(name: name, value: .file(SourceFile.path(path, from: reader.file)))
    }

    /// Whether a text can be sent as a header's value.
    package static func isHeaderValue(_ text: String) -> Bool {
        text.utf8.count <= headerBytes && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension YAMLReader {
    /// A time such as `30s`, in milliseconds.
    mutating func milliseconds(_ node: Node, _ what: String, in range: ClosedRange<UInt64>) -> UInt64? {
        let units: [(String, UInt64)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
        func words(_ time: UInt64) -> String {
            let unit = units.last { time.isMultiple(of: $0.1) } ?? ("ms", 1)
            return "\(time / unit.1)\(unit.0)"
        }
        guard let text = text(node, what, atMost: 32) else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        if let number = UInt64(digits), let unit = units.first(where: { $0.0 == text.dropFirst(digits.count) }) {
            let (time, isTooMuch) = number.multipliedReportingOverflow(by: unit.1)
            if !isTooMuch, range.contains(time) { return time }
        }
        report(
            node,
            "\(what) is a time from \(words(range.lowerBound)) to \(words(range.upperBound)), such as 30s or 5m, not "
                + "'\(Field.shown(text))'")
        return nil
    }
}
