import MarqueeCatalogue
import MarqueeModel

/// The moments at which texts of the time left change: each hour while a moment of a record is to come, and each minute
/// in the last hour before the next one, so that these texts cost nothing while there is none.
enum TimeLeft {
    static let minute: Int64 = 60_000
    static let hour = 60 * minute
    static let day = 24 * hour

    /// The next moment at which texts may change.
    ///
    /// - Parameter soonest: the first moment to come of a record.
    static func tick(after now: Moment, soonest: Moment) -> Moment {
        let left = soonest.milliseconds - now.milliseconds
        if left <= hour { return min(soonest, next(minute, after: now)) }
        return min(soonest.advanced(by: -hour), next(hour, after: now))
    }

    private static func next(_ unit: Int64, after now: Moment) -> Moment {
        let (quotient, rest) = now.milliseconds.quotientAndRemainder(dividingBy: unit)
        return Moment(milliseconds: (rest < 0 ? quotient : quotient + 1) * unit)
    }
}

extension TypedRecords {
    /// The next moment at which texts of the time left until a field's values change.
    ///
    /// - Parameter family: the records in the order of the field, prepared.
    /// - Returns: `nil` if no value is to come; a moment long ago if there is no time yet and there are values.
    func nextTick(of family: RecordFamily) -> Moment? {
        let order = RecordOrder(family: family, value: nil)
        guard let now else { return count(in: order) == 0 ? nil : Moment(milliseconds: .min) }
        return value(after: now, in: order).map { TimeLeft.tick(after: now, soonest: $0) }
    }
}
