import ArgumentParser
import Foundation
@_spi(Admin) import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON
import MarqueeTypes

struct DraftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft",
        abstract: "Drafts: publications that nobody sees before they are published together.",
        discussion: """
            A draft begins with the first publication that is put into it, and ends when it is
            published, as one commit, or dropped. Until then only 'get --draft' shows it.

            EXAMPLES
              marquee publish changes.ndjson --draft spring
              marquee get home --draft spring --as plan=free
              marquee draft list
              marquee draft diff spring                 what it changes, and what stands in its way
              marquee draft publish spring
              marquee draft publish spring --at 2026-12-24T20:00+09:00
              marquee draft hold spring                 not at that time after all
              marquee draft drop spring
            """,
        subcommands: [List.self, Diff.self, Publish.self, Hold.self, Drop.self])

    /// The document that names the draft to which the changes after it go.
    static func order(_ name: String) -> String { #"{"draft": \#(text(name))}"# }

    /// - Parameter members: JSON, after the first one.
    fileprivate static func order(_ what: String, _ name: String, _ members: String = "") -> String {
        #"{"draft": {"\#(what)": \#(text(name))\#(members)}}"#
    }

    fileprivate static func text(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return writer.text
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists drafts, and when they are published.")
        @OptionGroup var options: DraftOptions

        func run() async throws {
            let drafts = try await options.call { try await $0.drafts() }
            if options.output.format == .ndjson { return try Output.standard.write(drafts) }
            if drafts.isEmpty { return Notes.complain("there are no drafts") }
            try Output.standard.write(drafts.map { DraftLines.draft($0) })
        }
    }

    struct Diff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows what a draft changes: each record, list or page, before and after.")
        @Argument var name: String
        @OptionGroup var options: DraftOptions

        func run() async throws {
            let name = name
            let documents = try await options.call { try await $0.drafts(name) }
            if options.output.format == .ndjson { return try Output.standard.write(documents) }
            guard let draft = documents.first else { return }
            try Output.standard.write([DraftLines.draft(draft)] + documents.dropFirst().flatMap(DraftLines.difference))
        }
    }

    struct Publish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publishes a draft, as one commit.",
            discussion: """
                Refused, naming them, if records that the draft changes were changed in the catalogue since. With a later
                time, such a draft is kept, and 'draft list' says why. A scheduled draft can't be edited.
                """)
        @Argument var name: String
        @Option(
            help: ArgumentHelp("At this time, instead of now.", valueName: "2026-12-24T20:00+09:00"),
            transform: { try PreviewOptions.moment($0) })
        var at: Moment?
        @Flag(
            name: .customLong("despite-conflicts"),
            help: "Also if what it changes was changed in the catalogue since.")
        var despiteConflicts = false
        @OptionGroup var options: DraftOptions

        func run() async throws {
            let members =
                (at.map { #", "at": "\#($0.text)""# } ?? "")
                + (despiteConflicts ? #", "despiteConflicts": true"# : "")
            let receipt = try await options.publish(DraftCommand.order("publish", name, members))
            if let at {
                return try Output.standard.write(
                    Sanitizer.line(
                        "draft \(name), to be published "
                            + (at.milliseconds > Int64(Date().timeIntervalSince1970 * 1_000)
                                ? "at \(at.text)" : "at once: \(at.text) has passed")))
            }
            try Output.standard.write(
                Sanitizer.line(
                    "revision \(receipt.revision), "
                        + (receipt.changed ? "draft \(name) is published" : "nothing changed")))
        }
    }

    struct Hold: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes the time at which a draft is to be published.")
        @Argument var name: String
        @OptionGroup var options: DraftOptions

        func run() async throws {
            let receipt = try await options.publish(DraftCommand.order("hold", name))
            try Output.standard.write(Sanitizer.line("draft \(name), \(receipt.changed ? "held" : "nothing changed")"))
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Throws a draft away.")
        @Argument var name: String
        @OptionGroup var options: DraftOptions

        func run() async throws {
            _ = try await options.publish(DraftCommand.order("drop", name))
            try Output.standard.write(Sanitizer.line("draft \(name), dropped"))
        }
    }
}

struct DraftOptions: ParsableArguments {
    @OptionGroup(title: "Output") var output: OutputOptions

    @Option(help: ArgumentHelp("How long to wait for the answer, in seconds.", valueName: "seconds"))
    var timeout = Seconds(30)

    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws { try timeout.checkTimeout() }

    func call<Answer: Sendable>(_ ask: (MarqueeClient) async throws -> Answer) async throws -> Answer {
        try await ServerCall.run(connection.resolved(), timeout: timeout, ask)
    }

    fileprivate func publish(_ order: String) async throws -> PublishReceipt {
        try await call { try await $0.publish([order]) }
    }
}

/// Drafts and their differences as people read them.
enum DraftLines {
    /// The most columns of a value.
    private static let columns = 60

    static func draft(_ document: String) -> String {
        let members = members(JSONDocument(json: document))
        func number(_ name: String) -> UInt64 {
            if case .unsigned(let number)? = members[name] { number } else { 0 }
        }
        var line = "\(text(members["draft"]) ?? "?")  \(Words.count(number("changes"), "change"))"
        line += " in \(Words.count(number("publications"), "publication"))"
        if let moment = text(members["at"]) {
            line += "  at \(moment)" + (members["despiteConflicts"] == nil ? "" : ", despite conflicts")
        }
        if let problem = text(members["problem"]) { line += "  not published: \(problem)" }
        return Sanitizer.line(line)
    }

    static func difference(_ document: String) -> [String] {
        let value = members(JSONDocument(json: document))
        let isRecord = value["kind"] == .string("record")
        let (before, after) = (content(value["before"], isRecord), content(value["after"], isRecord))
        let what = before == nil ? "added" : after == nil ? "removed" : before == after ? "unchanged" : "changed"
        let conflict = value["conflict"] == nil ? "" : "  CONFLICT: changed in the catalogue since"
        var lines = ["\(text(value["name"]) ?? "?")  \(what)\(conflict)"]
        let (old, new) = (before ?? [:], after ?? [:])
        for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] {
            lines.append("  \(name)  \(shortened(old[name])) → \(shortened(new[name]))")
        }
        return lines.map { Sanitizer.line($0) }
    }

    /// The fields of a record, or of what is inside of a change: `{"page": {…}}`.
    private static func content(_ value: JSONDocument?, _ isRecord: Bool) -> [String: JSONDocument]? {
        guard case .object(let members)? = value else { return nil }
        guard !isRecord, let (name, inner) = members.first else { return members }
        if case .object(let members) = inner { return members }
        return [name: inner]
    }

    private static func members(_ value: JSONDocument?) -> [String: JSONDocument] {
        if case .object(let members)? = value { members } else { [:] }
    }

    private static func text(_ value: JSONDocument?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }

    private static func shortened(_ value: JSONDocument?) -> String {
        guard let text = value?.line() else { return "–" }
        return TextWidth.truncate(text, to: columns)
    }
}
