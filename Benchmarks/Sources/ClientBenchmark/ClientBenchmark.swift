import CMeasuring
import Foundation
import Measuring
import NIOCore

@testable import MarqueeClient
@testable import MarqueeDiff
@testable import MarqueeMirror
@testable import MarqueeModel
@testable import MarqueeWire

/// Measures the cost of the client library to an app, beside GRDB's ValueObservation alone on the same rows.
///
///     ClientBenchmark [SECONDS]            all but what follows; patches for so many seconds
///     ClientBenchmark idle PORT SECONDS    a connected client that does nothing
///     ClientBenchmark count RUNS           for `instructions.sh`
@main
enum ClientBenchmark {
    private static let rounds = 21
    private static let screens = 100
    private static let patchesPerSecond = 1_000
    private static let standardSeconds = 10.0
    private static let ours = "marquee"
    private static let theirs = "GRDB's ValueObservation alone"

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        func number(_ index: Int) -> Int? { arguments.dropFirst(index).first.flatMap { Int($0) } }
        switch arguments.first {
        case "count": if let runs = number(1) { return try count(runs) }
        case "idle":
            if let port = number(1), let seconds = number(2), seconds > 0 {
                return try await idle(port: port, seconds: seconds)
            }
        case nil: return try await all(standardSeconds)
        case let text?: if let seconds = Double(text), seconds > 0 { return try await all(seconds) }
        }
        FileHandle.standardError.write(Data("usage: ClientBenchmark [SECONDS | idle PORT SECONDS | count RUNS]\n".utf8))
        exit(64)
    }

    private static func all(_ seconds: Double) async throws {
        try await opening()
        try arriving()
        try patches(seconds)
        try decoding()
    }

    // MARK: - Opening

    /// A mirror of a hundred screens: each has two sections of twenty items.
    private static func fill(_ path: String) throws {
        let mirror = try Mirror(location: .file(path)) { [UInt8](repeating: 1, count: MirrorLimit.clientIDBytes) }
        try mirror.bind(cluster: "bench", user: nil)
        let (sections, items) = (2, 20)
        let views = (0..<screens).map { screen in
            ViewWrite(
                id: ViewID(screen: "screen-\(screen)", locale: "en"), list: (nil, Sample.list(sections)),
                sections: (0..<sections).map { section in
                    let first = (screen * sections + section) * items
                    return (
                        "section-\(section)", nil,
                        Version(head: Sample.head, items: (first..<first + items).map { Sample.item($0) })
                    )
                })
        }
        try mirror.commit(
            MirrorTransaction(
                cut: Cut(catalogueEpoch: 1, catalogueRevision: 1), savedAt: 1, views: views,
                currentViews: views.map(\.id)))
        try mirror.sync()
        mirror.close()
    }

    private static func opening() async throws {
        progress("opening")
        let folder = try Folder()
        try fill(folder.path("mirror.sqlite"))
        let rows = try ObservedRows(folder.path("rows.sqlite"))
        rows.observe(sections: 0..<1)
        try rows.insert((0..<4_000).map { ObservedRows.Row($0) })
        try rows.stop()
        var (marquee, grdb): ([Double], [Double]) = ([], [])
        for round in 0..<rounds {
            let began = WallTime.seconds
            let client = MarqueeClient(ClientConfiguration(mirror: .file(folder.path("mirror.sqlite"))))
            var updates = client.screen(ScreenID("screen-\(round % screens)"), source: .mirror).makeAsyncIterator()
            let items = try await updates.next()?.screen.sections.reduce(0) { $0 + $1.items.count }
            marquee.append((WallTime.seconds - began) * 1e3)
            precondition(items == 40, "a stored screen has 40 items")
            await client.close()

            let start = WallTime.seconds
            let rows = try ObservedRows(folder.path("rows.sqlite"))
            rows.observe(sections: 0..<1)
            grdb.append((WallTime.seconds - start) * 1e3)
            try rows.stop()
        }
        var table = Table(
            "Client: from nothing to the first value, a mirror of \(screens) screens, medians of \(rounds)",
            columns: ["", "ms", "slowest ms"])
        table.add([ours, decimal(marquee.median, 2), decimal(marquee.max() ?? 0, 2)])
        table.add([theirs, decimal(grdb.median, 2), decimal(grdb.max() ?? 0, 2)])
        table.print()
    }

    // MARK: - Arriving

    private static func arriving() throws {
        progress("arriving")
        var (marquee, grdb): ([Cost], [Cost]) = ([], [])
        let rows = (0..<Sample.items).map { ObservedRows.Row($0) }
        for _ in 0..<rounds {
            let folder = try Folder()
            let server = try PlayedServer(mirror: folder.path("mirror.sqlite"))
            let frames = server.wholeScreen()
            marquee.append(
                try Cost.of {
                    for frame in frames { server.say(frame) }
                    try server.mirror.sync()
                })
            precondition(server.observer.items == Sample.items, "\(server.observer.items) items have arrived")
            server.stop()

            let alone = try ObservedRows(folder.path("rows.sqlite"))
            alone.observe(sections: 0..<Sample.sections)
            grdb.append(
                try Cost.of {
                    try alone.insert(rows)
                    try alone.sync()
                })
            try alone.stop()
        }
        var table = Table(
            "Client: \(grouped(Sample.items)) items arrive, until they are durable and shown, medians of \(rounds)",
            columns: ["", "ms", "CPU ms", "CPU µs an item", "×"])
        let base = grdb.map(\.cpu).median
        for (name, costs) in [(ours, marquee), (theirs, grdb)] {
            let cpu = costs.map(\.cpu).median
            table.add([
                name, decimal(costs.map(\.wall).median / 1e3, 2), decimal(cpu / 1e3, 2),
                decimal(cpu / Double(Sample.items), 2), decimal(cpu / base, 2),
            ])
        }
        table.print()
    }

    // MARK: - Patches

    /// The figures of a flood.
    private struct Flood {
        var costs: [Cost] = []
        var seconds = 0.0
        var growth = 0
        var stored = 0
    }

    /// Changes one item after the other, a second of ours and a second of GRDB's in turn, so that both meet the
    /// same noise.
    private static func patches(_ seconds: Double) throws {
        let folder = try Folder()
        let server = try PlayedServer(mirror: folder.path("mirror.sqlite"))
        for frame in server.wholeScreen() { server.say(frame) }
        let alone = try ObservedRows(folder.path("rows.sqlite"))
        alone.observe(sections: 0..<Sample.sections)
        try alone.insert((0..<Sample.items).map { ObservedRows.Row($0) })
        var versions = (0..<Sample.sections).map(Sample.section)
        var edition = 0

        func marquee() throws -> Cost {
            let (number, section) = next()
            var items = Array(versions[section].items)
            items[number % Sample.itemsPerSection] = Sample.item(number, edition: edition)
            let new = Version(head: Sample.head, items: items)
            let frame = server.change(section, from: versions[section], to: new)
            versions[section] = new
            return Cost.of { server.say(frame) }
        }
        func grdb() throws -> Cost {
            let row = ObservedRows.Row(next().number, edition: edition)
            return try Cost.of { try alone.update(row) }
        }
        func next() -> (number: Int, section: Int) {
            edition += 1
            // 7 has no divisor in common with the number of items, so each is met.
            let number = edition * 7 % Sample.items
            return (number, number / Sample.itemsPerSection)
        }

        // Caches and the like have grown after a second.
        var (ours, theirs) = (Flood(), Flood())
        for _ in 0..<patchesPerSecond { _ = try marquee() }
        for _ in 0..<patchesPerSecond { _ = try grdb() }
        let states = server.observer.states
        for second in 0..<Int(seconds.rounded(.up)) {
            progress("patches, second \(second + 1) of each")
            try flood(&ours, marquee)
            try flood(&theirs, grdb)
        }
        precondition(server.observer.states - states == ours.costs.count, "each patch is one state")
        ours.stored = try size(folder, "mirror.sqlite")
        theirs.stored = try size(folder, "rows.sqlite")
        server.stop()
        try alone.stop()
        var table = Table(
            "Client: one of \(grouped(Sample.items)) items changes \(grouped(patchesPerSecond)) times a second, \(Int(seconds)) s",
            columns: ["", "changes/s", "CPU µs, median", "×", "p99 µs", "most RSS growth KiB", "file and log KiB"])
        let base = theirs.costs.map(\.cpu).median
        for (name, flood) in [(Self.ours, ours), (Self.theirs, theirs)] {
            let wall = flood.costs.map(\.wall).sorted()
            table.add([
                name, grouped(Int(Double(flood.costs.count) / flood.seconds)),
                decimal(flood.costs.map(\.cpu).median, 0),
                decimal(flood.costs.map(\.cpu).median / base, 2), decimal(wall[wall.count * 99 / 100], 0),
                grouped(flood.growth / 1_024), grouped(flood.stored / 1_024),
            ])
        }
        table.print()
    }

    /// A second of changes, one each millisecond, or as many as possible.
    private static func flood(_ flood: inout Flood, _ change: () throws -> Cost) throws {
        return_free_memory()
        Counted.forgetPeak()
        let before = Counted.resident
        let began = WallTime.seconds
        var number = 0
        while number < patchesPerSecond, WallTime.seconds - began < 1 {
            flood.costs.append(try change())
            number += 1
            let ahead = Double(number) / Double(patchesPerSecond) - (WallTime.seconds - began)
            if ahead > 0 { usleep(UInt32(ahead * 1e6)) }
        }
        flood.seconds += max(WallTime.seconds - began, Double(number) / Double(patchesPerSecond))
        flood.growth = max(flood.growth, Counted.peak - before)
    }

    private static func size(_ folder: Folder, _ name: String) throws -> Int {
        try ["", "-wal"].reduce(0) { sum, suffix in
            let path = folder.path(name + suffix)
            guard FileManager.default.fileExists(atPath: path) else { return sum }
            return sum + (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
        }
    }

    // MARK: - Decoding

    private static func decoding() throws {
        progress("decoding")
        let items = (0..<Sample.items).map { Sample.item($0) }
        let folder = try Folder()
        let alone = try ObservedRows(folder.path("rows.sqlite"))
        alone.observe(sections: 0..<Sample.sections)
        try alone.insert((0..<Sample.items).map { ObservedRows.Row($0) })
        let rows = try alone.raw()
        try alone.stop()
        var (marquee, grdb, used): ([Double], [Double], Int) = ([], [], 0)
        for _ in 0..<rounds {
            marquee.append(CPUTime.measure { used &+= decode(items) }.microseconds / Double(items.count))
            let time = try CPUTime.measure { used &+= try ObservedRows.decode(rows) }.microseconds
            grdb.append(time / Double(rows.count))
        }
        precondition(used > 0)
        var table = Table(
            "Client: decoding an item once, of \(items[0].body.count) bytes; CPU time, medians of \(rounds)",
            columns: ["", "µs", "×"])
        for (name, times) in [(ours, marquee), ("GRDB: a row to a Codable record", grdb)] {
            table.add([name, decimal(times.median, 2), decimal(times.median / grdb.median, 2)])
        }
        table.print()
    }

    private static func decode(_ items: [Item]) -> Int {
        items.reduce(0) { sum, item in
            guard case .card(let card) = BodyCodec.decode(kind: item.kind, bytes: item.body) else { return sum }
            return sum &+ card.title.utf8.count
        }
    }

    // MARK: - Doing nothing

    private static func idle(port: Int, seconds: Int) async throws {
        let folder = try Folder()
        let client = MarqueeClient(
            ClientConfiguration(port: port, user: "bench", mirror: .file(folder.path("mirror.sqlite"))))
        var updates = client.screen(.home).makeAsyncIterator()
        while let update = try await updates.next(), !update.isLive {}
        // The first messages have passed.
        try await Task.sleep(for: .seconds(3))
        let (before, sleeps, cpu) = (try await client.counters(), Counted.sleeps, processMicroseconds())
        try await Task.sleep(for: .seconds(seconds))
        let (after, woken, used) = (try await client.counters(), Counted.sleeps - sleeps, processMicroseconds() - cpu)
        await client.close()
        let hours = Double(seconds) / 3_600
        var table = Table(
            "Client: connected, one screen shown, nothing happens; \(seconds) s extrapolated to an hour",
            columns: ["", "wake-ups", "bytes received", "bytes sent", "CPU ms"])
        table.add([
            ours, grouped(Int(Double(woken) / hours)),
            grouped(Int(Double(after.bytesReceived - before.bytesReceived) / hours)),
            grouped(Int(Double(after.bytesSent - before.bytesSent) / hours)), decimal(used / 1e3 / hours, 0),
        ])
        table.print()
    }

    // MARK: - Instructions

    private static func count(_ runs: Int) throws {
        var used = 0
        let items = (0..<Sample.itemsPerSection).map { Sample.item($0) }
        callgrind_start()
        used &+= decode(items)
        callgrind_toggle()
        for _ in 0..<runs { used &+= decode(items) }
        callgrind_toggle()
        callgrind_name("\(items.count) items decoded")

        let folder = try Folder()
        let server = try PlayedServer(mirror: folder.path("mirror.sqlite"))
        for frame in server.wholeScreen() { server.say(frame) }
        var version = Sample.section(0)
        var frames: [ByteBuffer] = []
        for edition in 1...runs + 3 {
            var items = Array(version.items)
            items[edition % items.count] = Sample.item(edition % items.count, edition: edition)
            let new = Version(head: Sample.head, items: items)
            frames.append(server.change(0, from: version, to: new))
            version = new
        }
        for frame in frames.prefix(3) { server.say(frame) }
        callgrind_toggle()
        for frame in frames.dropFirst(3) { server.say(frame) }
        callgrind_toggle()
        callgrind_name("one of \(grouped(Sample.items)) items changes: verified, stored, shown")
        used &+= server.observer.items
        server.stop()
        callgrind_stop()
        precondition(used > 0)
    }
}
