import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeServer
import SeededRandom
import Testing

@testable import Simulation

/// The laws of delivery: however a screen is delivered, it is the same screen.
@Suite struct DeliveryLawTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `A client that skips versions ends where one that took each of them does`(seed: UInt64) throws {
        let laboratory = try Laboratory(users: ["ana", "ben"], seed: seed)
        laboratory.settle()
        let (eager, slow) = (laboratory.schedule.devices[0], laboratory.schedule.devices[1])
        for _ in 0..<15 {
            // Nothing on the slow client's connection arrives.
            slow.connection?.stalledUntil = .max
            laboratory.commitSomething()
            for _ in 0..<50 { laboratory.schedule.settle() }
        }
        #expect(try laboratory.stored(on: eager) != laboratory.stored(on: slow))
        slow.connection?.stalledUntil = 0
        laboratory.settle()
        #expect(try laboratory.stored(on: eager) == laboratory.stored(on: slow))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `Bytes give the same screens however they are split`(seed: UInt64) throws {
        let whole = try Laboratory(seed: seed)
        let pieces = try Laboratory(seed: seed)
        var random = SeededGenerator(seed: seed)
        for laboratory in [whole, pieces] {
            for _ in 0..<8 {
                laboratory.commitSomething()
                guard laboratory === pieces else {
                    laboratory.settle()
                    continue
                }
                // A few bytes at a time, before everything else.
                for _ in 0..<400 {
                    laboratory.device.advance(to: laboratory.schedule.now)
                    if let connection = laboratory.device.connection { laboratory.schedule.serve(connection, 7, 1) }
                    laboratory.schedule.run(laboratory.node)
                    laboratory.device.read(random.int(1...9))
                }
                laboratory.settle()
            }
        }
        #expect(try whole.stored() == pieces.stored())
    }

    @Test func `A connection cut at any byte and resumed gives what an uninterrupted one gives`() throws {
        func play(cutAt bytes: Int?) throws -> (stored: Stored, taken: Int) {
            let laboratory = try Laboratory(seed: 5)
            laboratory.schedule.settle()
            var taken = 0
            var hasCut = bytes == nil
            for turn in 0..<600 {
                if turn % 40 == 20, turn < 300 { laboratory.commitSomething() }
                if turn % 10 == 9 { laboratory.schedule.waitForNextTimer() }
                laboratory.device.advance(to: laboratory.schedule.now)
                guard let connection = laboratory.device.connection else { continue }
                laboratory.schedule.serve(connection, .max, 4)
                laboratory.schedule.run(laboratory.node)
                let limit = hasCut ? Int.max : max(0, (bytes ?? 0) - taken)
                taken += min(limit, connection.toClient.readableBytes)
                laboratory.device.read(limit)
                if let bytes, !hasCut, taken >= bytes {
                    hasCut = true
                    connection.cut()
                }
            }
            laboratory.settle()
            return (try laboratory.stored(), taken)
        }
        let (expected, total) = try play(cutAt: nil)
        #expect(total > 1_000)
        // Each byte of the first frames, then every so many.
        let step = Extent.of(4, full: 1)
        for bytes in Array(stride(from: 0, to: 60, by: step))
            + Array(stride(from: 61, to: total, by: max(1, step * total / 60)))
        {
            #expect(try play(cutAt: bytes).stored == expected, "cut after \(bytes) bytes")
        }
    }

    /// Repairing a mirror with damaged content costs less than sending it again.
    @Test func `A flipped bit is found and repaired for less than a snapshot`() throws {
        let laboratory = try Laboratory(seed: 9)
        laboratory.settle()
        let snapshot = laboratory.dataBytes
        let before = try laboratory.stored()
        laboratory.device.stop()
        guard case .memory(let disk) = laboratory.device.disk else { return }
        disk.state.views[Schedule.home]?.sections["rank"]?.items[3].body[2] ^= 4
        try laboratory.device.start(now: laboratory.schedule.now)
        laboratory.settle()
        #expect(try laboratory.stored() == before)
        #expect(laboratory.schedule.counts[.damagedSection] > 0)
        #expect(laboratory.dataBytes - snapshot < snapshot / 2)
    }

    @Test func `A bit that flips while a client runs is found by its scrub`() throws {
        let laboratory = try Laboratory(seed: 9)
        laboratory.settle()
        let before = try laboratory.stored()
        guard case .memory(let disk) = laboratory.device.disk else { return }
        disk.state.views[Schedule.home]?.sections["rank"]?.items[3].body[2] ^= 4
        #expect(try laboratory.stored() != before)
        for _ in 0..<900 {
            laboratory.schedule.waitForNextTimer()
            laboratory.schedule.settle()
        }
        #expect(try laboratory.stored() == before)
        #expect(laboratory.schedule.counts[.mended] > 0)
    }

    @Test func `A view that grows and shrinks leaves nothing behind`() throws {
        let laboratory = try Laboratory(seed: 3)
        laboratory.settle()
        laboratory.device.choose(SectionOptions(section: "basic", window: 2), on: Schedule.home)
        laboratory.settle()
        let small = try laboratory.stored()
        laboratory.device.choose(SectionOptions(section: "basic", window: 8), on: Schedule.home)
        laboratory.settle()
        let large = try laboratory.stored()
        #expect(large.sections["basic"] != small.sections["basic"])
        laboratory.device.choose(SectionOptions(section: "basic", window: 2), on: Schedule.home)
        laboratory.settle()
        #expect(try laboratory.stored() == small)
    }
}
