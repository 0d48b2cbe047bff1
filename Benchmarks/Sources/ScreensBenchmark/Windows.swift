import Measuring

/// Windows anywhere in one list: what the ten-thousandth costs, and what a commit costs all of them.
enum Windows {
    private static let counts = [1, 100, 1_000, 10_000]
    private static let passes = 1_000
    private static let warmUps = 5
    private static let commits = 100

    /// - Parameter sizes: records of the list.
    static func measure(sizes: [Int]) throws {
        var scrolling = Table(
            "A reader scrolls: medians of \(passes) windows of \(World.windowRows) rows, opened and left",
            columns: ["records", "CPU µs"])
        var held = Table(
            "Windows held, each of \(World.windowRows) rows at a place of its own: memory and opening for each",
            columns: ["records", "windows", "bytes", "opening µs"])
        var changed = Table(
            "One change under them: medians of \(commits), CPU time of the hub's thread; work counted",
            columns: [
                "records", "windows", "change", "commit µs", "µs/window", "comparisons", "items made", "heads",
                "patches",
                "bytes", "patches µs",
            ])
        for size in sizes {
            progress("windows on \(grouped(size)) records")
            let world = try World(records: size)
            scrolling.add([grouped(size), decimal(try scroll(world))])
            for count in counts {
                let (before, opened) = (Memory.now.allocated, world.windows)
                let opening = try CPUTime.measure { try world.open(windows: count) }.microseconds
                let more = Double(count - opened)
                held.add([
                    grouped(size), grouped(count), grouped(Int(Double(Memory.now.allocated - before) / more)),
                    decimal(opening / more),
                ])
                for change in World.WindowChange.allCases { changed.add(try row(of: change, in: world)) }
            }
        }
        scrolling.print()
        held.print()
        changed.print()
    }

    private static func scroll(_ world: World) throws -> Double {
        var random = Numbers(seed: 3)
        return try (0..<passes).map { _ in
            let film = UInt64(1 + random.below(world.catalogue.filmCount))
            return try CPUTime.measure { try world.pass(film: film) }.microseconds
        }.median
    }

    private static func row(of change: World.WindowChange, in world: World) throws -> [String] {
        var (times, patchTimes): ([Double], [Double]) = ([], [])
        var made = (count: 0, bytes: 0)
        var before = world.hub.counters
        for round in 0..<warmUps + commits {
            if round == warmUps { before = world.hub.counters }
            world.commit(change)
            let commit = try CPUTime.measure { try world.catchUp() }.microseconds
            let (patches, patching) = CPUTime.measure { world.makePatches() }
            guard round >= warmUps else { continue }
            times.append(commit)
            patchTimes.append(patching)
            made.count += patches.count
            made.bytes += patches.bytes
        }
        let after = world.hub.counters
        func mean(_ sum: Int) -> String { decimal(Double(sum) / Double(commits)) }
        return [
            grouped(world.catalogue.filmCount), grouped(world.windows), change.rawValue, decimal(times.median),
            decimal(times.median / Double(world.windows), 2), mean(Int(after.comparisons - before.comparisons)),
            mean(Int(after.items - before.items)), mean(Int(after.heads - before.heads)), mean(made.count),
            mean(made.bytes), decimal(patchTimes.median),
        ]
    }
}
