import MarqueeModel

/// The outcomes of the changes of collections made in this run, by the numbers that they were made under.
struct ChangeLedger {
    /// The most results that are remembered; the newest stay.
    static let maximumResults = 256

    private var results: [(number: UInt64, result: ChangeResult)] = []
    /// The number that a change has now, if it was given another one.
    private var renumbered: [UInt64: UInt64] = [:]

    /// The number that a change has now.
    func current(_ number: UInt64) -> UInt64 { renumbered[number] ?? number }

    func result(of number: UInt64) -> ChangeResult? { results.last { $0.number == number }?.result }

    /// Changes have come to an end.
    /// - Parameter numbers: those that they have now.
    mutating func finish(_ numbers: some Sequence<UInt64>, _ result: ChangeResult) {
        for number in numbers {
            let first = renumbered.first { $0.value == number }?.key ?? number
            renumbered[first] = nil
            guard self.result(of: first) == nil else { continue }
            results.append((first, result))
        }
        if results.count > Self.maximumResults { results.removeFirst(results.count - Self.maximumResults) }
    }

    /// A change has another number now.
    /// - Parameter new: `nil` if a later one of the same member took its place.
    mutating func renumber(_ old: UInt64, as new: UInt64?) {
        let first = renumbered.first { $0.value == old }?.key ?? old
        guard result(of: first) == nil else { return }
        renumbered[first] = new
        if new == nil { finish([first], .replaced) }
    }
}
