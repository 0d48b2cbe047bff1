import ArgumentParser
import Foundation
import MarqueeClient
import MarqueeScreenJSON

struct MirrorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract: "Inspects a mirror's file, even while another process uses it.",
        discussion: """
            EXAMPLES
              marquee mirror status
              marquee mirror verify --user ann
              marquee mirror verify --mirror ./home.sqlite
            """,
        subcommands: [Status.self, Verify.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the stored screens, the pending changes of collections, and recent problems.")

        @Option(help: "lines for people, or ndjson for programs.")
        var output = OutputFormat.lines
        @OptionGroup(title: "Mirror") var mirror: MirrorOptions
        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func run() async throws {
            let path = try MirrorCommand.path(mirror, connection)
            let status = try MirrorCommand.inspect { () throws(ClientError) in try MirrorInspection.status(at: path) }
            switch output {
            case .ndjson: try Output.standard.write(MirrorReportLines.document(of: status, path: path).line())
            case .lines:
                try Output.standard.write(
                    MirrorReportLines.lines(of: status, path: path, now: Date().timeIntervalSince1970))
            }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                Recomputes every sum from the stored bytes. Exits with 65 if something is damaged, and with 66 if \
                there is no mirror yet.
                """)

        @Option(help: "lines for people, or ndjson for programs.")
        var output = OutputFormat.lines
        @OptionGroup(title: "Mirror") var mirror: MirrorOptions
        @OptionGroup(title: "Connection") var connection: ConnectionOptions

        func run() async throws {
            let path = try MirrorCommand.path(mirror, connection)
            let damage = try MirrorCommand.inspect { () throws(ClientError) in try MirrorInspection.verify(at: path) }
            // A file that is itself damaged may not say how much it holds.
            let status = try? MirrorInspection.status(at: path)
            let sections = status?.views.reduce(0) { $0 + $1.sections } ?? 0
            let items = status?.views.reduce(0) { $0 + $1.items } ?? 0
            switch output {
            case .ndjson:
                try Output.standard.write(
                    MirrorReportLines.document(of: damage, sections: sections, items: items, path: path).line())
            case .lines where damage.isEmpty:
                try Output.standard.write("ok: \(Words.count(sections, "section")), \(Words.count(items, "item"))")
            case .lines: try Output.standard.write(damage.map { Sanitizer.line("damaged: \($0)") })
            }
            guard damage.isEmpty else {
                throw Failure(
                    .dataError,
                    """
                    \(Words.count(damage.count, "section")) damaged in \(path); repaired from the server when next shown
                    """
                )
            }
        }
    }

    /// The file to inspect.
    /// - Throws: `Failure` when there is none, or it can't be read.
    private static func path(_ mirror: MirrorOptions, _ connection: ConnectionOptions) throws -> String {
        let path = try mirror.resolved(for: connection.resolved()).path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Failure(
                .noInput,
                """
                there is no mirror at \(path); name its file with --mirror, or its server and user\
                \(others(beside: path))
                """
            )
        }
        guard !isFolder.boolValue else { throw Failure(.noInput, "\(path) is a folder; name a mirror's file") }
        guard access(path, R_OK) == 0 else { throw Failure(.noPermission, "the mirror at \(path) can't be read") }
        return path
    }

    /// The most mirrors in the same folder to suggest when one is not found.
    private static let namedMirrors = 5

    /// Names the mirrors that the person may have meant instead: those of other users of that server.
    private static func others(beside path: String) -> String {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { $0.hasSuffix(".sqlite") }.sorted()
        guard !names.isEmpty else { return "" }
        let more = names.count > namedMirrors ? " …" : ""
        return "; beside it: \(names.prefix(namedMirrors).joined(separator: ", "))\(more)"
    }

    /// The file exists, so if it can't be understood it is damaged or not a mirror.
    private static func inspect<Answer>(_ look: () throws(ClientError) -> Answer) throws -> Answer {
        do throws(ClientError) {
            return try look()
        } catch {
            let isUnreadable = [.mirrorDamaged, .notAMirror, .mirrorUnusable].contains(error.code)
            throw Failure(isUnreadable ? .dataError : ProgramExit(error), error.message)
        }
    }
}
