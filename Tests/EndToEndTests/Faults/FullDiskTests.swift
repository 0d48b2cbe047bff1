import Foundation
import MarqueeModel
import Testing

@_spi(Admin) @testable import MarqueeClient

extension Faults {
    @Suite("A full disk", .enabled(if: Tmpfs.isPossible, Tmpfs.howTo), .timeLimit(.minutes(10)))
    struct FullDiskTests {
        private func client(
            _ server: ServerProcess, user: String? = "mina", mirror: URL? = nil
        ) throws -> MarqueeClient {
            var configuration = ClientConfiguration(host: "127.0.0.1", port: server.port, user: user, mirror: .memory)
            if let mirror { configuration.mirror = .file(mirror.path) }
            configuration.backoff = .milliseconds(10)...(.milliseconds(200))
            return MarqueeClient(configuration)
        }

        /// The server's own list.
        private func favorites(_ client: MarqueeClient) async throws -> [Subject] {
            try await client.fetchScreen(ScreenID("user-collections")).sections.flatMap(\.items).compactMap(\.subject)
        }

        private static let movies: [Subject] = (1...400).map { .movie(100_000 + $0) }

        @Test
        func `A server with a full disk refuses with a reason, keeps what it confirmed, and recovers`() async throws {
            let folder = try Faults.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let disk = try Tmpfs(bytes: 4 << 20)
            let server = try ServerProcess(in: folder, data: disk.folder.appending(path: "data"))
            try await server.start()
            let one = try client(server)
            var home = one.screen(.home).makeAsyncIterator()
            _ = try await home.first { $0.origin == .live }
            var confirmed: [Subject] = []
            for movie in Self.movies.prefix(5) {
                try await one.setFavorite(true, for: movie)
                try #require(try await one.waitForConfirmation(within: .seconds(30)))
                confirmed.append(movie)
            }

            try disk.fill()
            // The write-ahead log may have room left that it claimed earlier.
            var pending: Subject?
            for movie in Self.movies.dropFirst(5) {
                try await one.setFavorite(true, for: movie)
                if try await one.waitForConfirmation(within: .seconds(2)) {
                    confirmed.append(movie)
                } else {
                    pending = movie
                    break
                }
            }
            let waiting = try #require(pending, "the disk never was full")
            var refusal: ClientError?
            for votes in 0..<1_000 {
                do throws(ClientError) {
                    _ = try await one.publish([Harness.update(27_205, #""voteCount": \#(votes)"#)])
                } catch {
                    refusal = error
                    break
                }
            }
            #expect(refusal?.status?.code == .resourceExhausted)
            #expect(refusal?.status?.reason == "DISK_FULL")
            let change = folder.appending(path: "change.ndjson")
            try Data(Harness.update(27_205, #""voteCount": 7"#).utf8).write(to: change)
            let publish = try RunningProcess(
                "marquee", ["publish", change.path, "--server", server.address], in: folder)
            #expect(try await publish.ended() == 75)
            #expect(publish.errors.contains("the server's disk is full; nothing was changed"))
            // Readers are still served.
            let reader = try client(server)
            #expect(try await favorites(reader) == confirmed.reversed())
            #expect(try await reader.fetchScreen(.home).sections.isEmpty == false)

            // Killed now, it either starts or says why it can't.
            try await server.kill()
            let again = try server.launch()
            try await eventually("a start or a reason") {
                again.output.contains(" ready on ") || again.errors.contains("no room on the disk")
            }
            try await server.kill()

            try disk.free()
            try await server.start()
            #expect(try await one.waitForConfirmation(within: .seconds(60)))
            confirmed.append(waiting)
            #expect(try await favorites(reader) == confirmed.reversed())
            let receipt = try await one.publish([Harness.update(27_205, #""popularity": 5000"#)])
            _ = try await home.first { $0.screen.revision.catalogueRevision == receipt.revision && $0.origin == .live }
            await one.close()
            await reader.close()
            #expect(try await server.stop() == 0)
            print("full disk of a server: \(confirmed.count) favorites confirmed, all there")
        }

        @Test func `A server stopped on a full disk starts on it, with everything it confirmed`() async throws {
            let folder = try Faults.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let disk = try Tmpfs(bytes: 8 << 20)
            let server = try ServerProcess(in: folder, data: disk.folder.appending(path: "data"))
            try await server.start()
            let one = try client(server)
            for movie in Self.movies.prefix(3) { try await one.setFavorite(true, for: movie) }
            try #require(try await one.waitForConfirmation(within: .seconds(30)))
            await one.close()
            try disk.fill()
            #expect(try await server.stop() == 0)
            // Somebody else takes the room that the stop released.
            try disk.fill()
            try await server.start()
            let reader = try client(server)
            #expect(try await favorites(reader) == Self.movies.prefix(3).reversed())
            #expect(try await reader.fetchScreen(.home).sections.isEmpty == false)
            await reader.close()
            #expect(try await server.stop() == 0)
        }

        @Test
        func `A client with a full disk shows nothing unstored as pending, stays whole, and recovers`() async throws {
            let folder = try Faults.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let disk = try Tmpfs(bytes: 2 << 20)
            let server = try ServerProcess(in: folder)
            try await server.start()
            let witness = try client(server)
            let mirror = disk.folder.appending(path: "mirror.sqlite")
            let one = try client(server, mirror: mirror)
            var home = one.screen(.home).makeAsyncIterator()
            _ = try await home.first { $0.origin == .live }

            let subscribed = disk.folder.appending(path: "subscriber.sqlite").path
            let subscriber = try RunningProcess(
                "marquee",
                ["subscribe", "home", "--server", server.address, "--mirror", subscribed, "--output", "ndjson"],
                in: folder)
            _ = try await subscriber.line(with: "\"live\"")

            try disk.fill()
            var stored: [Subject] = []
            var refusal: ClientError?
            for movie in Self.movies {
                do throws(ClientError) {
                    try await one.setFavorite(true, for: movie)
                    stored.append(movie)
                } catch {
                    refusal = error
                    #expect(!(try await one.favorites()).contains { $0.subject == movie }, "shown, but not stored")
                    break
                }
            }
            #expect(refusal?.code == .diskFull)
            // A whole day of the chart, with long names: more than fits.
            let title = String(repeating: "x", count: 4_000)
            let entries = (0..<10).map { #"{"key": "k\#($0)", "place": {"title": "\#(title)"}}"# }
            let receipt = try await witness.publish([Harness.chart(entries)])
            // Content that can't be stored is shown all the same, and marked.
            let kept = try await home.first { $0.screen.revision.catalogueRevision == receipt.revision }
            #expect(!kept.status.isStored && kept.origin == .live)
            #expect(kept.status.lastError?.code == .diskFull)
            let problem = try await subscriber.line(with: "\"MIRROR_PROBLEM\"")
            #expect(problem.contains("the disk is full"))
            #expect(subscriber.isRunning)
            for path in [mirror.path, subscribed] { #expect(try MirrorInspection.verify(at: path).isEmpty) }
            let command = try RunningProcess(
                "marquee",
                [
                    "favorite", "add", "13", "--user", "jun", "--server", server.address, "--mirror",
                    disk.folder.appending(path: "new.sqlite").path,
                ], in: folder)
            #expect(try await command.ended() == 74)
            #expect(command.output.isEmpty && command.errors.contains("No space left"))

            try disk.free()
            _ = try await home.first { $0.status.isStored && $0.screen.revision.catalogueRevision == receipt.revision }
            try await one.setFavorite(true, for: .movie(13))
            #expect(try await one.waitForConfirmation(within: .seconds(60)))
            #expect(try await favorites(witness) == [.movie(13)] + stored.reversed())
            await one.close()
            _ = try await subscriber.line(with: "\"revision\":\(receipt.revision)")
            #expect(try await subscriber.stop(SIGTERM) == 0)
            for path in [mirror.path, subscribed] { #expect(try MirrorInspection.verify(at: path).isEmpty) }
            await witness.close()
            #expect(try await server.stop() == 0)
        }
    }
}
