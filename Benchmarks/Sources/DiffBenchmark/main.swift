import CMeasuring
import Measuring

@testable import MarqueeDiff
@testable import MarqueeModel

// The cost of comparing two versions, and of applying the difference.
//
//     DiffBenchmark                CPU time, moves and bytes
//     DiffBenchmark count RUNS     for `instructions.sh`: the same under valgrind

/// Something to measure. What it computes is used, so that none of it is left out.
private struct Case {
    var name: String
    var body: () -> Int
}

/// Finds the runs and the moves: all that the rest is made from.
private func matches(_ pair: Pair) -> (runs: Int, moved: Int) {
    Differ.matching(from: pair.old, to: pair.new) { matching, parts in
        matching.complete(parts)
        let runs = UnsafeBufferPointer(start: matching.scratch.runs.base, count: matching.scratch.runs.count)
        return (runs.count, runs.reduce(0) { $0 + ($1.isMoved ? Int($1.count) : 0) })
    }
}

private func cases(_ pairs: [Pair], _ content: inout Content) throws -> [Case] {
    var cases: [Case] = []
    for pair in pairs {
        cases.append(Case(name: "moves: \(pair.name)") { matches(pair).moved })
        cases.append(Case(name: "patch: \(pair.name)") { Differ.patch(from: pair.old, to: pair.new).script.count })
        cases.append(
            Case(name: "transition: \(pair.name)") { Differ.transition(from: pair.old, to: pair.new).moved.count })
        // A list on the wire has at most 65,536 items.
        guard pair.old.items.count <= Script.maximumItems else { continue }
        let patch = Differ.patch(from: pair.old, to: pair.new)
        cases.append(Case(name: "apply: \(pair.name)") { (try? pair.old.applying(patch).items.count) ?? -1 })
        if let next = try? pair.old.applying(patch) {
            let few = content.fewChanges(next)
            let patch = Differ.patch(from: next, to: few)
            cases.append(
                Case(name: "apply ten changes after: \(pair.name)") { (try? next.applying(patch).items.count) ?? -1 })
        }
        cases.append(
            Case(name: "check: \(pair.name)") {
                Int(truncatingIfNeeded: (try? patch.incrementalTargetSum(from: pair.old)) ?? 0)
            })
    }
    for count in [Script.maximumItems, 100_000] {
        let version = Version(head: [], items: content.items(count))
        let place = count / 3
        cases += updateCases(of: version, at: place, "one of \(count)", &content)
        var later = version
        for _ in 0..<300 { later = update(later, at: content.place(below: count), with: content.body()) }
        cases += updateCases(of: later, at: place, "one of \(count), after 300 more", &content)
    }
    for (sections, items) in [(50, 100), (10, 20)] {
        let (old, new) = content.screens(sections, of: items)
        cases.append(
            Case(name: "screen: \(sections) sections of \(items), few changes") {
                ScreenChanges.between(old: old, new: new).batches.count
            })
    }
    let list = content.items(5_000)
    cases.append(
        Case(name: "version: 5,000 items made anew") { Int(truncatingIfNeeded: Version(head: [], items: list).sum) })
    for pair in pairs where pair.isSmall {
        let (old, new) = (pair.old.items.map(\.id), pair.new.items.map(\.id))
        cases.append(
            Case(name: "standard library: \(pair.name)") { new.difference(from: old).inferringMoves().count })
    }
    return cases
}

/// The version after an update of one item.
private func update(_ version: Version, at place: Int, with body: [UInt8]) -> Version {
    var item = version.items[place]
    item.body = body
    return version.replacing(
        head: nil,
        list: [
            .kept(0..<place), .updated(place, item, bodyHash: XXH64.hash(body)),
            .kept(place + 1..<version.items.count),
        ])
}

/// Returns the cases for one update in a long list: the work of a server, and that of a client.
private func updateCases(of version: Version, at place: Int, _ name: String, _ content: inout Content) -> [Case] {
    let body = content.body()
    let next = update(version, at: place, with: body)
    let patch = Differ.patch(from: version, to: next)
    var cases = [
        Case(name: "update: \(name): version") { Int(truncatingIfNeeded: update(version, at: place, with: body).sum) },
        Case(name: "update: \(name): patch") { Differ.patch(from: version, to: next).script.count },
    ]
    // A list on the wire has at most 65,536 items.
    guard version.items.count <= Script.maximumItems else { return cases }
    cases.append(
        Case(name: "update: \(name): check") {
            Int(truncatingIfNeeded: (try? patch.incrementalTargetSum(from: version)) ?? 0)
        })
    cases.append(Case(name: "update: \(name): apply") { (try? version.applying(patch).items.count) ?? -1 })
    return cases
}

private let arguments = Array(CommandLine.arguments.dropFirst())
private var used = 0
private var content = Content()
private let pairs = content.pairs()
private let filter = arguments.count > 2 ? arguments[1] : ""
private let all = try cases(pairs, &content).filter { filter.isEmpty || $0.name.hasPrefix(filter) }

if arguments.first == "count" {
    let runs = arguments.last.flatMap { Int($0) } ?? 1
    callgrind_start()
    for measured in all {
        used &+= measured.body()
        callgrind_toggle()
        for _ in 0..<runs { used &+= measured.body() }
        callgrind_toggle()
        callgrind_name(measured.name)
    }
    callgrind_stop()
} else {
    let runs = 21
    var table = Table("CPU time of \(runs) runs", columns: ["", "median µs", "least µs"])
    for measured in all {
        progress(measured.name)
        for _ in 0..<3 { used &+= measured.body() }
        let times = (0..<runs).map { _ in CPUTime.measure { used &+= measured.body() }.microseconds }
        table.add([measured.name, decimal(times.median), decimal(times.min() ?? 0)])
    }
    table.print()
    var sizes = Table("What is sent", columns: ["", "moves", "structure, bytes"])
    for pair in pairs {
        sizes.add([
            pair.name, grouped(Differ.transition(from: pair.old, to: pair.new).moved.count),
            grouped(Differ.patch(from: pair.old, to: pair.new).script.count),
        ])
    }
    sizes.print()
}
precondition(used != .min)
