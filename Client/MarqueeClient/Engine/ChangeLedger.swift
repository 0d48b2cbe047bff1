import MarqueeModel

/// The outcomes of the changes of collections made in this run, by their original numbers.
struct ChangeLedger {
    /// The most results remembered; the newest are kept.
    static let maximumResults = 256

    private var results: [(number: UInt64, result: ChangeResult)] = []
    /// The new numbers of renumbered changes.
    private var renumbered: [UInt64: UInt64] = [:]

    /// The current number of a change.
    func current(_ number: UInt64) -> UInt64 { renumbered[number] ?? number }

    func result(of number: UInt64) -> ChangeResult? { results.last { $0.number == number }?.result }

    /// Records the result of changes that have ended.
    /// - Parameter numbers: their current numbers.
    mutating func finish(_ numbers: some Sequence<UInt64>, _ result: ChangeResult) {
        for number in numbers {
            let first = renumbered.first { $0.value == number }?.key ?? number
            renumbered[first] = nil
            guard self.result(of: first) == nil else { continue }
            results.append((first, result))
        }
        if results.count > Self.maximumResults { results.removeFirst(results.count - Self.maximumResults) }
    }

    /// Records a change's new number.
    /// - Parameter new: `nil` if a later change of the same member replaced it.
    mutating func renumber(_ old: UInt64, as new: UInt64?) {
        let first = renumbered.first { $0.value == old }?.key ?? old
        guard result(of: first) == nil else { return }
        renumbered[first] = new
        if new == nil { finish([first], .replaced) }
    }
}
