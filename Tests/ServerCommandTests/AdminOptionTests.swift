import ArgumentParser
import Foundation
import Logging
import MarqueeAdmin
import Testing

@testable import marquee_server

struct AdminOptionTests {
    private func parse(_ arguments: String...) throws -> ServingOptions {
        try #require(
            try MarqueeServerCommand.parseAsRoot(["serve", "--data", "d"] + arguments) as? ServeCommand
        ).serving
    }

    private func refusal(_ arguments: String...) -> (code: Int32, message: String)? { refusal(arguments) }

    private func refusal(_ arguments: [String]) -> (code: Int32, message: String)? {
        do {
            _ = try MarqueeServerCommand.parseAsRoot(["serve", "--data", "d"] + arguments)
            return nil
        } catch {
            return (MarqueeServerCommand.exitCode(for: error).rawValue, MarqueeServerCommand.message(for: error))
        }
    }

    @Test func `There is no address for operators unless one is given`() async throws {
        let options = try parse()
        #expect(options.admin.address == nil)
        let log = ServerLog(level: .critical, format: .text) { _ in }
        #expect(try await options.admin.start(AdminNode(), log: log) == nil)
        #expect(try parse("--admin", "[::1]:7421").admin.address == ListenAddress(host: "::1", port: 7_421))
    }

    @Test func `Where others could reach it, a token and TLS are needed`() throws {
        let tls = ["--admin-tls-cert", "c", "--admin-tls-key", "k"]
        let ways = [
            (tls, "--admin-token-file"), (["--admin-allow-unencrypted"], "--admin-tokens"), (tls, "--admin-tokens"),
            (["--admin-allow-unencrypted"], "--admin-token-file"),
        ]
        for (number, address) in ["0.0.0.0:7421", "10.0.0.5:7421", "[::]:7421", "films.example:7421"].enumerated() {
            // Each pair at some address, and all of them at one: parsing takes long.
            for (open, tokens) in number == 0 ? ways : [ways[number]] {
                let refused = try #require(refusal(["--admin", address] + open))
                #expect(refused.code == 64)
                #expect(refused.message.contains("--admin-token-file"))
                #expect(refusal(["--admin", address, tokens, "t"] + open) == nil)
                let plain = try #require(refusal("--admin", address, tokens, "t"))
                #expect(plain.code == 64)
                #expect(plain.message.contains("--admin-tls-cert"))
                #expect(plain.message.contains("--admin-allow-unencrypted"))
            }
        }
        #expect(refusal("--admin", "127.0.0.1:7421") == nil)
        #expect(refusal(["--admin", "127.0.0.1:7421"] + tls) == nil)
        #expect(refusal("--admin", "7421")?.code == 64)
    }

    @Test func `What goes with the address for operators is refused without it, and what excludes each other`() throws {
        for options in [
            ["--admin-token-file", "t"], ["--admin-tokens", "t"], ["--admin-tls-cert", "c", "--admin-tls-key", "k"],
            ["--admin-allow-unencrypted"],
        ] {
            #expect(refusal(options)?.message.contains("needs --admin") == true, "\(options)")
            #expect(refusal(["--admin", "127.0.0.1:0"] + options) == nil, "\(options)")
        }
        let admin = ["--admin", "127.0.0.1:0"]
        #expect(refusal(admin + ["--admin-token-file", "t", "--admin-tokens", "t"])?.code == 64)
        #expect(refusal(admin + ["--admin-tls-cert", "c"])?.message.contains("go together") == true)
        let both = ["--admin-tls-cert", "c", "--admin-tls-key", "k", "--admin-allow-unencrypted"]
        #expect(refusal(admin + both)?.message.contains("exclude each other") == true)
    }

    @Test func `A file of tokens that can't be used ends the start, and the message names the line`() async throws {
        let log = ServerLog(level: .critical, format: .text) { _ in }
        let path = FileManager.default.temporaryDirectory.appending(path: "admin-tokens-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "ana admin aaaaaaaaaaaaaaaa\nprometheus metric bbbbbbbbbbbbbbbb\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        let options = try parse("--admin", "127.0.0.1:0", "--admin-tokens", path)
        let failure = await #expect(throws: CommandFailure.self) {
            try await options.admin.start(AdminNode(), log: log)
        }
        #expect(failure?.code == .configuration)
        #expect(failure?.message.hasPrefix("\(path):2: ") == true)
    }

    @Test func `A token file that is missing or has no token is said`() async throws {
        let log = ServerLog(level: .critical, format: .text) { _ in }
        let missing = try parse("--admin", "127.0.0.1:0", "--admin-token-file", "/nonexistent/token")
        await #expect(throws: CommandFailure(.noInput, "/nonexistent/token can't be read: No such file or directory")) {
            try await missing.admin.start(AdminNode(), log: log)
        }
        let empty = try parse("--admin", "127.0.0.1:0", "--admin-token-file", "/dev/null")
        let failure = await #expect(throws: CommandFailure.self) {
            try await empty.admin.start(AdminNode(), log: log)
        }
        #expect(failure?.code == .configuration)
    }

    @Test func `A log is text, JSON, or what fits where it goes`() throws {
        #expect(try parse().logging.format == .auto)
        #expect(try parse("--log-format", "json").logging.log().isJSON)
        #expect(try !parse("--log-format", "text").logging.log().isJSON)
        #expect(refusal("--log-format", "xml")?.code == 64)
    }
}
