import MarqueeScreens

extension Hub {
    /// Handles a content that nobody shows any more: the screens stop keeping it current, unless it is large. A large
    /// one would take milliseconds to evaluate again, for every request that follows a commit, while keeping it current
    /// as members move costs next to nothing.
    func leave(_ number: UInt64, _ content: VariantTable.Content) {
        let items = content.current.version.items.count
        guard content.isKept, items > Self.membersAtOnce else { return stopKeeping(number) }
        lingering.append(number, bytes: items, at: now)
        while lingering.bytes > idleBounds.keptItems, let oldest = lingering.popFirst() { stopKeeping(oldest) }
    }

    /// Stops keeping a content current, and records the position at which it was.
    func stopKeeping(_ number: UInt64) {
        lingering.remove(number)
        screens.unwatch(number)
        guard let content = table.contents[number], content.isKept else { return }
        table.contents[number]?.asOf = stamp(of: content.key)
        table.contents[number]?.isKept = false
    }

    /// Records that the screens have given up a content without subscribers.
    func lose(_ number: UInt64) {
        lingering.remove(number)
        guard table.contents[number]?.isKept == true else { return }
        table.contents[number]?.isKept = false
        table.contents[number]?.asOf = nil
    }

    /// Stops keeping a user's unshown contents current. Must be called before moves of the user's log are skipped.
    func stopKeeping(_ user: User) {
        for number in user.entries where table.contents[number]?.shown == 0 { stopKeeping(number) }
    }
}
