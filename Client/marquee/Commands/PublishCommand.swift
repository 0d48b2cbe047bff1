import ArgumentParser
import Foundation
@_spi(Admin) import MarqueeClient
import MarqueeModel

struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Changes the catalogue: a file with one JSON object per line, each a change.",
        discussion: """
            Lines become one commit, so everybody sees all of it at once; more than
            \(Words.number(PublishBatch.maximumDocuments)) lines become several.

            EXAMPLES
              marquee publish changes.ndjson
              echo '{"remove": {"type": "episode", "id": "e1"}}' | marquee publish -
              marquee publish days.ndjson --each --interval 1       a commit a second
              tail -f feed.ndjson | marquee publish - --each --max-bad 100
              tail -f feed.ndjson | marquee publish - --each --update-only
              marquee publish changes.ndjson --draft spring         into a draft, which nobody sees yet
              marquee publish --undo 12                             restores what revision 12 changed
              marquee publish feed.ndjson --blocks --interval 0.05  a commit for each block of lines,
                                                                    20 a second

            CHANGES
              {"put": {"type": "episode", "id": "e1", "record": {"title": "…"}}}    adds or replaces
              {"merge": {"type": "episode", "id": "e1", "record": {"plays": 2}}}    changes fields
              {"remove": {"type": "episode", "id": "e1"}}
              {"list": {"list": "top", "entries": [{"record": "episode/e1"}]}}
              {"list": {"list": "daily", "edition": "2026-01-01", "entries": [{"record": "episode/e1"}]}}
              {"listItem": {"list": "top", "item": {"record": "episode/e2"}, "at": 1}}
              {"show": {"list": "daily", "edition": "2026-01-01"}}
              {"removeList": {"list": "top"}}
              {"choose": {"pool": "main", "record": "episode/e1"}}
              {"page": {"id": "home", "sections": [{"id": "s", "type": "basic", "title": "…", "list": "top"}]}}
              {"programme": "…the text of a programme file…"}
              {"undo": {"revision": 12}}       alone: restores what revision 12 changed
            """)

    @Argument(
        help: "The file, or - for standard input.", completion: .file(extensions: ["ndjson", "jsonl"]))
    var file: String?

    @Option(help: ArgumentHelp("Put the changes into this draft instead; see 'marquee draft'.", valueName: "name"))
    var draft: String?

    @Option(help: ArgumentHelp("Instead of a file: restore what a revision has changed.", valueName: "revision"))
    var undo: UInt64?

    @Option(help: ArgumentHelp("The most lines in one commit.", valueName: "n"))
    var batch = PublishBatch.maximumDocuments

    @Flag(help: "One commit per line, the same as --batch 1.")
    var each = false

    @Flag(help: "One commit per block of lines; a blank line ends a block.")
    var blocks = false

    @Option(
        name: .customLong("max-bad"),
        help: ArgumentHelp(
            """
            With --each or --blocks: how many lines or blocks may be bad. Each is reported and left out, and the feed
            goes on.
            """, valueName: "n"))
    var maxBad = 0

    @Flag(
        name: .customLong("update-only"),
        help: "Changes existing records, and creates none: a merge of any other id is bad, and so is a put.")
    var updatesOnly = false

    @Option(help: ArgumentHelp("Seconds from one commit to the next.", valueName: "seconds"))
    var interval = Seconds(0)

    @Option(help: ArgumentHelp("How long to wait for each answer, in seconds.", valueName: "seconds"))
    var timeout = Seconds(30)

    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws {
        try timeout.checkTimeout()
        guard (1...PublishBatch.maximumDocuments).contains(batch) else {
            throw ValidationError("--batch must be 1 to \(PublishBatch.maximumDocuments)")
        }
        if (file == nil) == (undo == nil) {
            throw ValidationError("name a file of changes, or - for standard input, or a revision with --undo")
        }
        if undo != nil, draft != nil { throw ValidationError("--undo makes a commit; leave --draft out") }
        if each, blocks { throw ValidationError("--each and --blocks exclude each other") }
        if maxBad < 0 { throw ValidationError("--max-bad is a number of lines, such as 20") }
        if maxBad > 0, !each, !blocks { throw ValidationError("--max-bad goes with --each or --blocks") }
    }

    func run() async throws {
        if let undo {
            let receipt = try await ServerCall.run(connection.resolved(), timeout: timeout) { client in
                try await client.publish([#"{"undo": {"revision": \#(undo)}}"#])
            }
            let what = receipt.changed ? "revision \(undo) is undone" : "nothing changed"
            return try Output.standard.write("revision \(receipt.revision), \(what)")
        }
        guard let file else { return }
        // A file can be read twice: one with a mistake is not sent at all. A pipe can't.
        if DocumentReader.canReadTwice(file) { try check(file) }
        let limit = each ? 1 : batch
        var published = 0
        var bad = BadLines(limit: maxBad)
        do {
            try await ServerCall.run(connection.resolved(), timeout: timeout) { client in
                var feed = try FeedReader(path: file, inBlocks: blocks, updatesOnly: updatesOnly)
                defer { feed.close() }
                var batch = PublishBatch()
                var earliest = ContinuousClock.now
                func send() async throws {
                    guard !batch.documents.isEmpty else { return }
                    // From start to start, so the pace doesn't depend on how quickly the server answers.
                    if interval.value > 0 { try await Task.sleep(until: earliest, clock: .continuous) }
                    earliest = max(.now, earliest) + interval.duration
                    let sent = batch
                    batch = PublishBatch()
                    do {
                        try await publish(sent, of: feed.name, with: client)
                        published += sent.documents.count
                    } catch let failure as Failure where failure.status == .dataError {
                        try bad.add(failure)
                    }
                }
                while let part = try feed.next() {
                    switch part {
                    case .blank: if blocks { try await send() }
                    case .flaw(let failure):
                        if blocks { batch = PublishBatch() }
                        try bad.add(failure)
                    case .change(let document):
                        if !batch.hasRoom(for: document, limit: limit) { try await send() }
                        batch.add(document)
                        // Send a full batch at once: a feed may be silent for hours before its next line.
                        if batch.documents.count == limit { try await send() }
                    }
                }
                try await send()
            }
        } catch let failure as Failure where published > 0 {
            throw Failure(failure.status, "\(failure.message); \(Words.count(published, "line")) published before")
        }
        if bad.count > 0 { Notes.complain("\(Words.count(bad.count, blocks ? "bad block" : "bad line")) left out") }
        if published == 0 { Notes.complain("nothing to publish in \(file == "-" ? "<stdin>" : file)") }
    }

    /// Counts the bad lines or blocks of a file that can be read again.
    /// - Throws: `Failure` when there are too many.
    private func check(_ file: String) throws {
        var feed = try FeedReader(path: file, inBlocks: blocks, updatesOnly: updatesOnly)
        defer { feed.close() }
        var count = 0
        while let part = try feed.next() {
            guard case .flaw(let failure) = part else { continue }
            count += 1
            if count > maxBad { throw failure }
        }
    }

    private func publish(_ batch: PublishBatch, of name: String, with client: MarqueeClient) async throws {
        let receipt: PublishReceipt
        do throws(ClientError) {
            receipt = try await client.publish(batch.texts(draft: draft))
        } catch {
            throw batch.failure(error, of: name, draft: draft)
        }
        let what = receipt.changed ? Words.count(batch.documents.count, "change") : "nothing changed"
        do {
            try Output.standard.write(
                draft.map { "draft \($0), \(what)" } ?? "revision \(receipt.revision), \(what)")
        } catch is OutputClosed {
            // The changes count even if nobody reads the report.
        }
    }
}

/// Reads the changes of a feed. A block with a bad line is left out from that line on, because its changes belong
/// together.
struct FeedReader {
    enum Part {
        case change(Document)
        case blank
        /// A bad line; in a block, the first one. The lines before it belong to the same block.
        case flaw(Failure)
    }

    private var reader: DocumentReader
    private let inBlocks: Bool
    private let updatesOnly: Bool
    private var isBroken = false

    /// - Parameter updatesOnly: whether changes that may create a record are bad.
    /// - Throws: `Failure` when the file is missing or can't be read.
    init(path: String, inBlocks: Bool, updatesOnly: Bool) throws {
        reader = try DocumentReader(path: path)
        self.inBlocks = inBlocks
        self.updatesOnly = updatesOnly
    }

    var name: String { reader.name }

    /// - Returns: `nil` at the end.
    /// - Throws: `Failure` when the file can't be read.
    mutating func next() throws -> Part? {
        while let line = try reader.nextLine() {
            switch updatesOnly ? line.updatingOnly : line {
            case .blank:
                isBroken = false
                return .blank
            case .document(let document):
                if !isBroken { return .change(document) }
            case .flawed(let line, let reason):
                if isBroken { continue }
                isBroken = inBlocks
                return .flaw(reader.failure(line, reason))
            }
        }
        return nil
    }

    func close() { reader.close() }
}

/// The bad lines of a feed, up to a limit.
struct BadLines {
    let limit: Int
    private(set) var count = 0

    init(limit: Int) { self.limit = limit }

    /// Reports a line that is left out.
    /// - Throws: the failure itself, if there are more than the limit.
    mutating func add(_ failure: Failure) throws {
        guard count < limit else {
            guard limit > 0 else { throw failure }
            throw Failure(failure.status, "\(failure.message); that is more than the \(limit) that --max-bad allows")
        }
        count += 1
        Notes.complain(failure.message)
    }
}

extension DocumentReader.Line {
    /// The line as a change that creates no record.
    var updatingOnly: DocumentReader.Line {
        guard case .document(let document) = self,
            let change = try? JSONSerialization.jsonObject(with: Data(document.text.utf8)) as? [String: Any]
        else { return self }
        func flawed(_ reason: String) -> DocumentReader.Line { .flawed(line: document.line, reason: reason) }
        if change["put"] != nil { return flawed("a put may create a record, which --update-only rules out; use merge") }
        guard let merge = change["merge"] else { return self }
        if let create = (merge as? [String: Any])?["create"] {
            if create as? Bool == false { return self }
            return flawed("this merge may create a record, which --update-only rules out")
        }
        // The text is kept as it is, with all digits of its numbers.
        guard let start = document.text.firstMatch(of: /^\s*\{\s*"merge"\s*:\s*\{/) else {
            return flawed("a merge is written {\"merge\": {…}}")
        }
        let isEmpty = (merge as? [String: Any])?.isEmpty ?? true
        let text = document.text.replacingCharacters(
            in: start.range.upperBound..<start.range.upperBound, with: "\"create\":false\(isEmpty ? "" : ",")")
        return .document(Document(line: document.line, text: text))
    }
}

/// Documents for one commit.
struct PublishBatch {
    /// The most documents, and the most bytes, that a server takes as one publication.
    static let maximumDocuments = 65_536
    static let maximumBytes = 8 << 20

    private(set) var documents: [Document] = []
    private var bytes = 0

    func hasRoom(for document: Document, limit: Int) -> Bool {
        documents.count < limit && bytes + document.text.utf8.count <= Self.maximumBytes
    }

    mutating func add(_ document: Document) {
        documents.append(document)
        bytes += document.text.utf8.count
    }

    /// The documents to publish, behind the one that names a draft.
    func texts(draft: String?) -> [String] {
        (draft.map { [DraftCommand.order($0)] } ?? []) + documents.map(\.text)
    }

    /// The server counts documents within the publication; a person counts lines of the file.
    func failure(_ error: ClientError, of name: String, draft: String? = nil) -> Failure {
        guard error.status?.code == .invalidArgument else { return Failure(error) }
        var message = error.message
        var place = name
        if var change = RefusedChange(message), documents.indices.contains(change.index - (draft == nil ? 0 : 1)) {
            change.index -= draft == nil ? 0 : 1
            place += ":\(documents[change.index].line)"
            message = change.reason
        } else if let first = documents.first, documents.count == 1 {
            place += ":\(first.line)"
        }
        return Failure(.dataError, "\(place): \(message)")
    }
}
