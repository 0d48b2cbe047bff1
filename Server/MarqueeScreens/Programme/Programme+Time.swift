import MarqueeModel

extension Programme {
    /// The time in which a section is shown.
    package struct Season: Hashable, Sendable {
        /// The first moment; `nil` if it has always begun.
        var from: Moment?
        /// The moment at which it is over; `nil` if it never is.
        var until: Moment?

        /// - Parameter now: `nil` is before everything.
        func contains(_ now: Moment?) -> Bool {
            guard let now else { return from == nil }
            return from.map { $0 <= now } ?? true && until.map { now < $0 } ?? true
        }
    }

    /// The next moment after another at which a section's season begins or ends.
    ///
    /// - Parameter now: `nil` is before everything.
    func nextSeason(after now: Moment?) -> Moment? {
        var next: Moment?
        for section in screens.lazy.flatMap(\.sections) {
            for moment in [section.season?.from, section.season?.until].compactMap({ $0 })
            where now.map({ $0 < moment }) ?? true && next.map({ moment < $0 }) ?? true {
                next = moment
            }
        }
        return next
    }
}
