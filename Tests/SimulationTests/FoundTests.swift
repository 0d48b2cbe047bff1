import MarqueeCatalogue
import MarqueeMirror
import MarqueeModel
import MarqueeServer
import Testing

@testable import Simulation

/// Bugs the simulation found, each reduced to its shortest reproduction.
@Suite struct FoundTests {
    private static func film(_ id: Int, length: Int) -> Change {
        .film(id, title: String(repeating: "m", count: length), rating: Double(id), topics: [1])
    }

    /// Seeds 371 and 388: the server did not know what the client held of a small section, and the section grew before
    /// it was staged. From then on a manifest was needed that was never requested, and the view never joined.
    @Test func `A section that grows while its view is staged is still sent`() throws {
        let laboratory = try Laboratory(users: [nil], seed: 2) { $0.credits = [500] }
        laboratory.commit(RandomChanges.films.map { Self.film($0, length: 8) })
        laboratory.settle()
        laboratory.device.stop()
        laboratory.commit(RandomChanges.films.map { Self.film($0, length: 9) })
        laboratory.schedule.settle()
        laboratory.node.crash()
        laboratory.schedule.start(laboratory.node)
        try laboratory.device.start(now: laboratory.schedule.now)
        // The view is planned and its first section is on its way; credit holds back the others.
        for _ in 0..<40 where laboratory.dataBytes < 3_000 {
            laboratory.schedule.waitForNextTimer()
            laboratory.device.advance(to: laboratory.schedule.now)
            guard let connection = laboratory.device.connection else { continue }
            laboratory.schedule.serve(connection, .max, 1)
            laboratory.schedule.run(laboratory.node)
            laboratory.device.read()
            if laboratory.node.sessions.first?.session.core.subscriptionCount ?? 0 > 0 { break }
        }
        laboratory.commit(RandomChanges.films.map { Self.film($0, length: 600) })
        laboratory.settle()
    }

    /// Seed 4 of an early version: after a restore, a favorite confirmed in the new epoch left the outbox before that
    /// epoch's favorites were stored, and its star went out until they were.
    @Test func `A favorite confirmed after a restore keeps its star`() throws {
        let laboratory = try Laboratory(seed: 4)
        laboratory.settle()
        #expect(laboratory.device.setFavorite("film/1", true))
        laboratory.settle()
        laboratory.device.stop()
        laboratory.schedule.restoreCopy()
        laboratory.schedule.start(laboratory.node)
        try laboratory.device.start(now: laboratory.schedule.now)
        #expect(laboratory.device.setFavorite("film/2", true))
        laboratory.settle()
    }

    /// The screens are still of the log before the restore then, and the favorites over them are of the new one.
    @Test func `A device without disk space shows the favorites of a restored store`() throws {
        let laboratory = try Laboratory(users: ["ana", "ana"], seed: 5)
        let full = laboratory.schedule.devices[1]
        full.diskIsFull = true
        // A device without room is never done.
        func goOn(rounds: Int) {
            for _ in 0..<rounds where laboratory.schedule.judge.violation == nil {
                laboratory.schedule.settle()
                laboratory.schedule.waitForNextTimer()
            }
        }
        #expect(laboratory.device.setFavorite("film/1", true))
        goOn(rounds: 20)
        laboratory.schedule.backUp()
        #expect(laboratory.device.setFavorite("film/2", true))
        goOn(rounds: 20)
        #expect(full.engine?.favoriteList().map(\.subject.name).sorted() == ["film/1", "film/2"])
        laboratory.schedule.restoreBackup()
        laboratory.schedule.start(laboratory.node)
        // Frame by frame: the set of favorites joins before the screens do.
        for _ in 0..<400 where laboratory.schedule.judge.violation == nil {
            laboratory.schedule.waitForNextTimer()
            full.advance(to: laboratory.schedule.now)
            guard let connection = full.connection else { continue }
            for _ in 0..<20 {
                laboratory.schedule.serve(connection, 100, 1)
                laboratory.schedule.run(laboratory.node)
                full.read()
            }
        }
        #expect(laboratory.schedule.judge.violation == nil)
        #expect(full.engine?.favoriteList().map(\.subject.name) == ["film/1"])
    }

    /// Its content is the stored one then, and its position isn't.
    @Test func `A screen that only moved while the disk was full isn't called stored after a suspension`() throws {
        let laboratory = try Laboratory(seed: 6)
        let device = laboratory.device
        device.show(ViewID(screen: "detail/1", locale: "en"))
        laboratory.settle()
        device.diskIsFull = true
        laboratory.commit([Self.film(2, length: 8)])
        // A device without room is never done.
        for _ in 0..<20 where laboratory.schedule.judge.violation == nil {
            laboratory.schedule.settle()
            laboratory.schedule.waitForNextTimer()
        }
        #expect(device.engine?.isStored == false)
        device.suspend()
        device.resume()
        #expect(laboratory.schedule.judge.violation == nil)
        #expect(device.engine?.isStored == false)
        device.diskIsFull = false
        laboratory.settle()
    }

    /// In the last three, what a full disk had kept out was taken for stored after a suspension, as the mirror was at a
    /// later position without it: the screen went back.
    @Test(arguments: [49, 259, 1_015, 1_435] as [UInt64])
    func `A suspension takes nothing back that a full disk has kept out of the mirror`(seed: UInt64) throws {
        let schedule = try Schedule(seed: seed)
        schedule.run()
        #expect(schedule.violation == nil)
        #expect(schedule.counts[.clientSuspended] > 0)
    }

    /// The judge took the second use for the only one, and the backup's answer for a wrong one.
    @Test func `A number that was used again after its client was forgotten is answered from a backup as before`()
        throws
    {
        let schedule = try Schedule(seed: 232_267)
        schedule.run()
        #expect(schedule.violation == nil)
    }

    /// A relay had lost its server, and another history began. A publication of the old one came to a session
    /// after the answer to where its client stands, and was taken for a position of the new one.
    @Test(arguments: [726_822, 727_984] as [UInt64])
    func `Nobody is welcomed at a position of another history`(seed: UInt64) throws {
        let schedule = try Schedule(seed: seed)
        schedule.run()
        #expect(schedule.violation == nil)
    }
}
