import Foundation
import GRDB
import MarqueeModel
import Testing

@testable import MarqueeClient

@Suite("One owner of a mirror, as processes", .timeLimit(.minutes(10)))
struct MirrorOwnerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-owner-\(UUID().uuidString)")

    private var mirror: String { folder.appending(path: "m.sqlite").path }

    private func marquee(_ arguments: String...) async throws -> (status: Int32?, output: String, errors: String) {
        let process = try RunningProcess("marquee", arguments, in: folder)
        let status = try await process.ended()
        return (status, process.output, process.errors)
    }

    @Test func `A second process is told who owns the mirror; it may look, verify, or keep nothing`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let owner = try RunningProcess(
            "marquee",
            ["subscribe", "home", "--server", server.address, "--mirror", mirror, "--output", "ndjson"], in: folder)
        _ = try await owner.line(with: "\"origin\":\"live\"")

        let second = try await marquee(
            "subscribe", "home", "--server", server.address, "--mirror", mirror, "--count", "1")
        #expect(second.status == 73)
        #expect(second.errors.contains("the mirror \(mirror) is in use by process \(owner.id)\n"), "\(second.errors)")

        let status = try await marquee("mirror", "status", "--mirror", mirror)
        #expect(status.status == 0)
        #expect(status.output.contains("home (en)"))
        #expect(status.output.contains("no errors"))
        let verified = try await marquee("mirror", "verify", "--mirror", mirror)
        #expect(verified.status == 0)
        #expect(verified.output.hasPrefix("ok: "))

        let standard = try RunningProcess(
            "marquee", ["subscribe", "home", "--server", server.address, "--output", "ndjson"], in: folder)
        _ = try await standard.line(with: "\"origin\":\"live\"")
        let fallback = try await marquee("subscribe", "home", "--server", server.address, "--count", "1")
        #expect(fallback.status == 0)
        #expect(fallback.errors.contains("keeps nothing on disk"))
        try await standard.stop(SIGTERM)
        #expect(try await owner.stop(SIGTERM) == 0)
        let after = try await marquee(
            "subscribe", "home", "--server", server.address, "--mirror", mirror, "--count", "1")
        #expect(after.status == 0)
        try await server.stop()
    }

    @Test func `Changes stored without a server are sent by the next command that reaches it`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        func favorite(_ verb: String, _ movie: String?, timeout: Int) async throws -> String {
            let process = try RunningProcess(
                "marquee",
                ["favorite", verb] + (movie.map { [$0] } ?? [])
                    + [
                        "--user", "mina", "--server", server.address, "--mirror", mirror, "--timeout", "\(timeout)",
                    ], in: folder)
            #expect(try await process.ended() == 0, "\(process.errors)")
            return process.output
        }
        #expect(try await favorite("add", "13", timeout: 60) == "♥ movie/13 added\n")
        try await server.stop()
        #expect(
            try await favorite("add", "680", timeout: 1).contains("movie/680 stored, to be added; the next command"))
        #expect(try await favorite("remove", "13", timeout: 1).contains("movie/13 stored, to be removed; the next"))
        try await server.start()
        let list = try await favorite("list", nil, timeout: 60)
        #expect(list.contains("♥ Pulp Fiction") && !list.contains("♡") && !list.contains("movie/13"), "\(list)")
        #expect(try MirrorInspection.status(at: mirror).pending.isEmpty)
        try await server.stop()
    }

    @Test func `Both copies of a mirror continue, one under a new id, and no favorite is lost`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        func add(_ movie: Int, to mirror: String) async throws -> Int32? {
            try await marquee(
                "favorite", "add", "\(movie)", "--user", "mina", "--server", server.address, "--mirror", mirror,
                "--timeout", "30"
            ).status
        }
        #expect(try await add(13, to: mirror) == 0)
        let copy = folder.appending(path: "copy.sqlite").path
        try FileManager.default.copyItem(atPath: mirror, toPath: copy)
        for suffix in ["-wal"] where FileManager.default.fileExists(atPath: mirror + suffix) {
            try FileManager.default.copyItem(atPath: mirror + suffix, toPath: copy + suffix)
        }
        // Both continue from the same number with different changes.
        for (movie, file) in [(680, mirror), (155, copy), (603, mirror), (27_205, copy), (157_336, mirror)] {
            #expect(try await add(movie, to: file) == 0, "\(movie) in \(file)")
        }
        let list = try await marquee(
            "favorite", "list", "--user", "mina", "--server", server.address, "--mirror", copy, "--output", "ndjson")
        for movie in [13, 680, 155, 603, 27_205, 157_336] { #expect(list.output.contains("\"movie/\(movie)\"")) }
        try await server.stop()
    }

    @Test func `A favorite refused at hello is reported as refused, with where it is waiting`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        #expect(
            try await marquee(
                "favorite", "add", "13", "--user", "mina", "--server", server.address, "--mirror", mirror,
                "--timeout", "30"
            ).status == 0)
        try await server.stop()
        let other = try ServerProcess(in: folder, data: folder.appending(path: "other"))
        try await other.start()
        let refused = try await marquee(
            "favorite", "add", "680", "--user", "mina", "--server", other.address, "--mirror", mirror, "--timeout", "30"
        )
        #expect(refused.status == 73)
        #expect(refused.errors.contains("was not sent"), "\(refused.errors)")
        #expect(refused.errors.contains(mirror))
        #expect(!refused.output.contains("stored, to be"))
        let status = try await marquee("mirror", "status", "--mirror", mirror)
        #expect(status.output.contains("♡ add movie/680 to favorites, pending"))
        #expect(status.output.contains("last error"))
        try await other.stop()
    }

    @Test func `Every command refuses a file that isn't a mirror, and leaves it untouched`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("shopping list\n".utf8).write(to: URL(filePath: mirror))
        let subscribed = try await marquee(
            "subscribe", "home", "--server", "127.0.0.1:1", "--mirror", mirror, "--timeout", "1")
        #expect(subscribed.status == 73)
        #expect(subscribed.errors.contains("not a mirror"), "\(subscribed.errors)")
        for command in ["status", "verify"] {
            let looked = try await marquee("mirror", command, "--mirror", mirror)
            #expect(looked.status == 65, "\(looked.errors)")
        }
        #expect(FileManager.default.contents(atPath: mirror) == Data("shopping list\n".utf8))
    }

    @Test func `A companion shows what is stored, and what it sets is sent by the owner or the next one`() async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let place = ["--server", server.address, "--user", "mina", "--mirror", mirror]
        func companion(_ arguments: String...) throws -> RunningProcess {
            try RunningProcess("marquee", arguments + place + ["--companion"], in: folder)
        }
        let early = try companion("subscribe", "home")
        #expect(try await early.ended() == 66)

        let owner = try RunningProcess("marquee", ["subscribe", "home", "--output", "ndjson"] + place, in: folder)
        _ = try await owner.line(with: "\"origin\":\"live\"")
        let widget = try companion("subscribe", "home", "--output", "ndjson")
        let first = try await widget.line(with: "\"origin\":\"store\"")
        #expect(first.contains("\"asOf\""), "\(first.prefix(300))")
        let added = try companion("favorite", "add", "27205", "--timeout", "30")
        #expect(try await added.ended() == 0, "\(added.errors)")
        #expect(added.output.contains("movie/27205 added"), "the owner has sent it")
        _ = try await widget.line(with: "movie/27205")
        try await owner.stop(SIGKILL)

        let stored = try companion("favorite", "add", "13", "--timeout", "1")
        try await stored.ended()
        #expect(stored.output.contains("movie/13 stored"), "\(stored.output)\(stored.errors)")
        #expect(try MirrorInspection.status(at: mirror).pending.map(\.subject) == [.movie(13)])
        let next = try RunningProcess("marquee", ["favorite", "list", "--timeout", "30"] + place, in: folder)
        #expect(try await next.ended() == 0)
        #expect(next.output.contains("movie/13"), "\(next.output)")
        try await widget.stop(SIGTERM)
        try await server.stop()
    }

    @Test func `A command that finds no mirror lists those that exist`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let alone = try await marquee("mirror", "status", "--mirror", mirror)
        #expect(alone.status == 66)
        #expect(alone.errors.hasSuffix("or its server and user\n"), "\(alone.errors)")
        for user in 1...6 { try Data().write(to: folder.appending(path: "mina\(user).sqlite")) }
        let found = try await marquee("mirror", "verify", "--mirror", mirror)
        #expect(found.status == 66)
        #expect(
            found.errors.hasSuffix(
                "; beside it: mina1.sqlite, mina2.sqlite, mina3.sqlite, mina4.sqlite, mina5.sqlite …\n"),
            "\(found.errors)")
    }

    @Test func `A mirror in a folder that can't be written to is read from a copy`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        // Killed, so that the last writes are only in the log beside the file.
        let owner = try RunningProcess(
            "marquee",
            ["subscribe", "home", "--server", server.address, "--mirror", mirror, "--output", "ndjson"], in: folder)
        _ = try await owner.line(with: "\"origin\":\"live\"")
        try await owner.stop(SIGKILL)
        try await server.stop()
        let kept = folder.appending(path: "kept").path
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: mirror + suffix) {
            try FileManager.default.copyItem(atPath: mirror + suffix, toPath: "\(kept)/m.sqlite\(suffix)")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: kept)
        let outcome = try withoutPrivileges("mirror", "verify", "--mirror", "\(kept)/m.sqlite")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: kept)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("ok: "), "\(outcome.output)")
        let names = try FileManager.default.contentsOfDirectory(atPath: kept)
        #expect(names.allSatisfy { !$0.hasSuffix("-shm") })
    }

    /// Runs a program so that permissions apply, to root as to everybody else.
    private func withoutPrivileges(
        _ arguments: String..., program name: String = "marquee"
    ) throws -> (status: Int32, output: String) {
        let program = RunningProcess.products.appending(path: name).path
        let capabilities = "-dac_override,-dac_read_search"
        let process = Process()
        if geteuid() == 0 {
            process.executableURL = URL(filePath: "/usr/bin/setpriv")
            process.arguments =
                ["--bounding-set=\(capabilities)", "--inh-caps=\(capabilities)", program] + arguments
        } else {
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
        }
        process.environment = ["TMPDIR": folder.path, "HOME": folder.path, "PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test(arguments: ["", "/proc/1"])
    func `Without a usable home folder a user can watch, and is told nothing is kept`(_ home: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let watching = try RunningProcess(
            "marquee", ["subscribe", "home", "--server", server.address, "--count", "1"], in: folder, home: home)
        #expect(try await watching.ended() == 0, "\(watching.errors)")
        #expect(watching.output.hasPrefix("Home"))
        #expect(watching.errors.contains("this one keeps nothing on disk"), "\(watching.errors)")
        // A favorite must be stored until the server has it.
        let favorite = try RunningProcess(
            "marquee", ["favorite", "add", "13", "--user", "mina", "--server", server.address], in: folder, home: home)
        #expect(try await favorite.ended() == (home.isEmpty ? 64 : 73), "\(favorite.errors)")
        try await server.stop()
    }

    @Test func `A backup to someone else's folder is refused for that reason`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        let foreign = folder.appending(path: "foreign").path
        try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: foreign)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: foreign) }
        let outcome = try withoutPrivileges(
            "backup", "\(foreign)/copy", "--data", server.data.path, program: "marquee-server")
        #expect(outcome.status == 77, "\(outcome.output)")
        #expect(outcome.output.contains("\(foreign)/copy can't be written"), "\(outcome.output)")
    }

    @Test func `Without a server, and with no time to wait, a command ends at once and says why`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        let gone = try await marquee("get", "home", "--server", "127.0.0.1:1")
        #expect(gone.status == 69)
        #expect(gone.errors.contains("can't reach 127.0.0.1:1"))
        let noTime = try await marquee("get", "home", "--server", server.address, "--timeout", "0")
        #expect(noTime.status == 64)
        #expect(noTime.errors.contains("--timeout"))
        try await server.stop()
    }
}
