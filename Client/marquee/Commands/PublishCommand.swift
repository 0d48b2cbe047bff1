import ArgumentParser
import Foundation
@_spi(Admin) import MarqueeClient

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
              tail -f feed.ndjson | marquee publish - --each
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
            """)

    @Argument(
        help: "The file, or - for standard input.", completion: .file(extensions: ["ndjson", "jsonl"]))
    var file: String

    @Option(help: ArgumentHelp("The most lines in one commit.", valueName: "n"))
    var batch = PublishBatch.maximumDocuments

    @Flag(help: "One commit per line, the same as --batch 1.")
    var each = false

    @Flag(help: "One commit per block of lines; a blank line ends a block.")
    var blocks = false

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
        if each, blocks { throw ValidationError("--each and --blocks exclude each other") }
    }

    func run() async throws {
        // A file can be read twice: nothing of one with a mistake in it is sent. A pipe can't.
        if DocumentReader.canReadTwice(file) { try check() }
        let limit = each ? 1 : batch
        var published = 0
        do {
            try await ServerCall.run(connection.resolved(), timeout: timeout) { client in
                var reader = try DocumentReader(path: file)
                defer { reader.close() }
                var batch = PublishBatch()
                var earliest = ContinuousClock.now
                func send() async throws {
                    guard !batch.documents.isEmpty else { return }
                    // From start to start, so the pace doesn't depend on how quickly the server answers.
                    if interval.value > 0 { try await Task.sleep(until: earliest, clock: .continuous) }
                    earliest = max(.now, earliest) + interval.duration
                    try await publish(batch, of: reader.name, with: client)
                    published += batch.documents.count
                    batch = PublishBatch()
                }
                while let line = try reader.nextLine() {
                    guard case .document(let document) = line else {
                        if blocks { try await send() }
                        continue
                    }
                    if !batch.hasRoom(for: document, limit: limit) { try await send() }
                    batch.add(document)
                    // Send a full batch at once: a feed may be silent for hours before its next line.
                    if batch.documents.count == limit { try await send() }
                }
                try await send()
            }
        } catch let failure as Failure where published > 0 {
            throw Failure(failure.status, "\(failure.message); \(Words.count(published, "line")) published before")
        }
        if published == 0 { Notes.complain("nothing to publish in \(file == "-" ? "<stdin>" : file)") }
    }

    private func check() throws {
        var reader = try DocumentReader(path: file)
        defer { reader.close() }
        while try reader.next() != nil {}
    }

    private func publish(_ batch: PublishBatch, of name: String, with client: MarqueeClient) async throws {
        let receipt: PublishReceipt
        do throws(ClientError) {
            receipt = try await client.publish(batch.documents.map(\.text))
        } catch {
            throw batch.failure(error, of: name)
        }
        let what = receipt.changed ? Words.count(batch.documents.count, "change") : "nothing changed"
        do {
            try Output.standard.write("revision \(receipt.revision), \(what)")
        } catch is OutputClosed {
            // The changes count even if nobody reads the report.
        }
    }
}

/// Documents for one commit.
struct PublishBatch {
    /// What a server takes as one publication.
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

    /// The server counts changes within the commit; a person counts lines of the file.
    func failure(_ error: ClientError, of name: String) -> Failure {
        guard error.status?.code == .invalidArgument else { return Failure(error) }
        var message = error.message
        var place = name
        if let rest = message.firstRange(of: "change "), rest.lowerBound == message.startIndex,
            let colon = message.firstIndex(of: ":"), let number = Int(message[rest.upperBound..<colon]),
            documents.indices.contains(number - 1)
        {
            place += ":\(documents[number - 1].line)"
            message = message[message.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        } else if let first = documents.first, documents.count == 1 {
            place += ":\(first.line)"
        }
        return Failure(.dataError, "\(place): \(message)")
    }
}
