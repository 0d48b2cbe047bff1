import MarqueeScreens

extension Hub {
    /// Nobody shows a content any more: the screens keep it current no longer, unless it is large. Evaluating it again,
    /// for everybody who asks for it after a commit, would take milliseconds each time, and moves of its members take
    /// next to nothing.
    func leave(_ number: UInt64, _ content: VariantTable.Content) {
        let items = content.current.version.items.count
        guard content.isKept, items > Self.membersAtOnce else { return stopKeeping(number) }
        lingering.append(number, bytes: items, at: now)
        while lingering.bytes > idleBounds.keptItems, let oldest = lingering.popFirst() { stopKeeping(oldest) }
    }

    /// Keeps a content current no longer, and notes as of when it is.
    func stopKeeping(_ number: UInt64) {
        lingering.remove(number)
        screens.unwatch(number)
        guard let content = table.contents[number], content.isKept else { return }
        table.contents[number]?.asOf = stamp(of: content.key)
        table.contents[number]?.isKept = false
    }

    /// The screens have given up a content without subscribers.
    func lose(_ number: UInt64) {
        lingering.remove(number)
        guard table.contents[number]?.isKept == true else { return }
        table.contents[number]?.isKept = false
        table.contents[number]?.asOf = nil
    }

    /// Keeps what nobody shows of a user current no longer. To be called before moves of the user's log are skipped.
    func stopKeeping(_ user: User) {
        for number in user.entries where table.contents[number]?.shown == 0 { stopKeeping(number) }
    }
}
