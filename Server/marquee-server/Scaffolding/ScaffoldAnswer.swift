import MarqueeImport

/// The answer of `scaffold` when it has written its files: what was decided, what was left out, and what to type next.
struct ScaffoldAnswer {
    private let plan: ScaffoldPlan
    private let sample: Sampler.Sample
    private let origin: ScaffoldFiles.Origin
    private let folder: String

    init(_ plan: ScaffoldPlan, _ sample: Sampler.Sample, _ origin: ScaffoldFiles.Origin, folder: String) {
        (self.plan, self.sample, self.origin, self.folder) = (plan, sample, origin, folder)
    }

    var lines: [String] {
        var lines = plan.decisions
        let notes = sample.notes + plan.notes
        if !notes.isEmpty { lines += ["", "Notes:"] + Self.lines(of: notes) }
        let questions = plan.questions.map { question in
            ScaffoldPlan.Note(
                subject: question.table,
                text: "nothing tells its rows apart; --key '\(question.table)=COLUMN' says which columns do")
        }
        let leftOut = sample.leftOut + questions + plan.leftOut
        if !leftOut.isEmpty { lines += ["", "Left out:"] + Self.lines(of: leftOut) }
        return lines + ["", "Written to \(folder): types.yaml, source.yaml, programme.yaml. Next:"] + commands
    }

    /// The most subjects on one line.
    private static let subjects = 8

    /// Notes with the same text share a line.
    private static func lines(of notes: [ScaffoldPlan.Note]) -> [String] {
        var texts: [String] = []
        var subjects: [String: [String]] = [:]
        for note in notes {
            if subjects[note.text] == nil { texts.append(note.text) }
            subjects[note.text, default: []].append(note.subject)
        }
        return texts.map { text in
            let all = subjects[text] ?? []
            let more = all.count > Self.subjects ? " and \(all.count - Self.subjects) more" : ""
            return "  \(all.prefix(Self.subjects).joined(separator: ", "))\(more): \(text)"
        }
    }

    private var commands: [String] {
        func path(_ name: String) -> String { Self.quoted("\(folder)/\(name)") }
        let (types, programme) = (path(ScaffoldFiles.typesName), path(ScaffoldFiles.programmeName))
        let check = "  marquee-server check \(programme) --types \(types)"
        if case .address = sample.source {
            return [
                check,
                "  marquee-server serve --data \(path("data")) --types \(types) --programme \(programme) --open",
                "and in other terminals:",
                "  marquee-server follow \(path(ScaffoldFiles.sourceName)) --to 127.0.0.1:7420",
                "  marquee subscribe home",
            ]
        }
        return [
            check,
            "  marquee-server import source \(path(ScaffoldFiles.sourceName)) --data \(path("data"))",
            "  marquee-server serve --data \(path("data")) --programme \(programme) --open",
            "and in another terminal:", "  marquee subscribe home",
        ] + following
    }

    /// A database can be followed, too.
    private var following: [String] {
        guard case .database(.postgres) = sample.source else { return [] }
        let source = Self.quoted("\(folder)/\(ScaffoldFiles.sourceName)")
        return [
            "and to show what changes in the database from then on:",
            "  marquee-server source check \(source)", "  marquee-server follow \(source) --to 127.0.0.1:7420",
        ]
    }

    /// Quotes a text for a shell.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/._-+:@%,".utf8.contains(byte)
        }
        return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
    }
}
