import Foundation
import MarqueeStore
import Testing

/// What the programs do when something happens to a data folder.
@Suite(.timeLimit(.minutes(5)))
struct DataFolderTests {
    @Test func aServerWhoseFolderIsDeletedSaysSoAndEnds() async throws {
        let folder = try Faults.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ServerProcess(in: folder)
        try await server.start()
        try FileManager.default.removeItem(at: server.data)
        #expect(try await server.running?.ended() == 74)
        #expect(server.log.contains("was deleted or moved while the store was open; nothing is stored any more"))
    }

    @Test func verifyNamesWhatIsDamagedAndSaysSoByItsExitCode() async throws {
        let folder = try Faults.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = folder.appending(path: "data")
        let client = [UInt8](repeating: 1, count: MutationID.clientLength)
        let store = try SQLiteStore(folder: data.path)
        for number in 1...20 as ClosedRange<UInt64> {
            let id = MutationID(client: client, number: number, answeredThrough: 0)
            _ = try store.write([.favorite(user: "mina", subject: "movie/\(20_000 + number)", on: true, mutation: id)])
        }
        try store.close()
        let sound = try RunningProcess("marquee-server", ["verify", "--data", data.path], in: folder)
        #expect(try await sound.ended() == 0)
        #expect(sound.output.contains("is sound: "))

        // One letter of one favorite: SQLite takes it for content.
        let file = data.appending(path: "users.sqlite")
        var bytes = try Data(contentsOf: file)
        let place = try #require(bytes.firstRange(of: Data("movie/20007".utf8)))
        bytes[place.upperBound - 1] ^= 1
        try bytes.write(to: file)
        let damaged = try RunningProcess("marquee-server", ["verify", "--data", data.path], in: folder)
        #expect(try await damaged.ended() == 65)
        #expect(damaged.output.contains("users.sqlite: the favorites of 'mina'\n"))
        #expect(damaged.errors.contains("is damaged"))

        let nowhere = try RunningProcess("marquee-server", ["verify", "--data", "nowhere"], in: folder)
        #expect(try await nowhere.ended() == 66)
    }
}
