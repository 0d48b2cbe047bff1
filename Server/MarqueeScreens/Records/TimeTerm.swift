import Foundation
import MarqueeModel
import MarqueeTypes

/// A moment in relation to the catalogue's time: `now + 2h`, `today + 1d`.
struct TimeTerm: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        /// The catalogue's time.
        case now
        /// The first moment of the day in a time zone.
        case today(zone: String)
    }

    var origin: Origin
    /// Days of the calendar, for a day's first moment.
    var days = 0
    /// Milliseconds, after the days.
    var milliseconds: Int64 = 0

    /// - Parameter now: the catalogue's time.
    func moment(at now: Moment) -> Moment {
        switch origin {
        case .now: now.advanced(by: milliseconds)
        case .today(let zone): Self.start(ofDay: days, from: now, zone: zone).advanced(by: milliseconds)
        }
    }

    /// The values of a field at the moment: the first, and the first of those after them.
    ///
    /// - Parameter now: the catalogue's time.
    func values(at now: Moment, of field: TypeDeclaration.SortField) -> (first: FieldValue, end: FieldValue) {
        let moment = moment(at: now)
        guard field.isDate, case .today(let zone) = origin else {
            return (moment.value, moment.advanced(by: 1).value)
        }
        // The day that contains the moment's noon, counted in the zone's days and numbered as in UTC.
        let noon = moment.advanced(by: 12 * 3_600_000)
        let date = Date(timeIntervalSince1970: Double(noon.milliseconds) / 1_000)
        let offset = Int64(TimeZone(identifier: zone)?.secondsFromGMT(for: date) ?? 0) * 1_000
        let day = Int64((Double(noon.advanced(by: offset).milliseconds) / 86_400_000).rounded(.down))
        return (.integer(day), .integer(day + 1))
    }

    /// The first moment after `now` at which the term moves to another day; `nil` if it moves continuously.
    func step(after now: Moment) -> Moment? {
        guard case .today(let zone) = origin else { return nil }
        return Self.start(ofDay: 1, from: now, zone: zone)
    }

    /// The first moment of a day, which isn't midnight where the clocks go forward then.
    ///
    /// - Parameter days: after the day of `now`; negative before it.
    private static func start(ofDay days: Int, from now: Moment, zone: String) -> Moment {
        let calendar = Calendar(of: zone)
        let today = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(now.milliseconds) / 1_000))
        // Noon is always on the same day, even if the clocks change.
        let noon = today.addingTimeInterval(12 * 3_600)
        let day = calendar.date(byAdding: .day, value: days, to: noon) ?? noon
        let start = calendar.startOfDay(for: day)
        return Moment(milliseconds: Int64((start.timeIntervalSince1970 * 1_000).rounded()))
    }
}

extension Calendar {
    /// The days of a time zone.
    fileprivate init(of zone: String) {
        self.init(identifier: .gregorian)
        if let zone = TimeZone(identifier: zone) { timeZone = zone }
    }
}

extension Moment {
    /// The first moment of a day, which isn't midnight where the clocks go forward then.
    init(startOf day: CalendarDate, zone: String) {
        let calendar = Calendar(of: zone)
        // Noon by UTC's clock, moved to noon by the zone's.
        let noon = Date(timeIntervalSince1970: Double(day.daysSince1970 * 86_400 + 43_200))
        let offset = calendar.timeZone.secondsFromGMT(for: noon)
        let start = calendar.startOfDay(for: noon.addingTimeInterval(-Double(offset)))
        self.init(milliseconds: Int64((start.timeIntervalSince1970 * 1_000).rounded()))
    }
}

/// A bound that moves with time, of a condition on records of a type.
struct MovingBound: Hashable, Sendable {
    var type: String
    var field: TypeDeclaration.SortField
    var term: TimeTerm
    /// Whether a record is still on the same side of the bound at the moment of its value, and changes sides after it.
    var isAfterValue: Bool

    /// The order in which records cross the bound.
    var order: RecordOrder {
        let sort = RecordSort(first: RecordSort.Part(field: field, isDescending: false))
        return RecordOrder(family: RecordFamily(type: type, sort: sort), value: nil)
    }

    /// The moment at which a record crosses the bound.
    ///
    /// - Returns: `nil` if it never does.
    func crossing(of bytes: [UInt8]) -> Moment? {
        guard let value = Moment.around(field.path.value(in: bytes)) else { return nil }
        return (isAfterValue ? value.before.advanced(by: 1) : value.after).advanced(by: -term.milliseconds)
    }
}

extension RecordCondition {
    /// A condition that no record meets.
    private static let never = RecordCondition.isAnyOf([])

    /// The condition at a moment.
    ///
    /// - Parameter now: `nil` if the catalogue has no time yet: then no record meets a condition about it.
    func resolved(at now: Moment?) -> RecordCondition {
        switch self {
        case .isWithin(let field, let lower, let upper):
            guard lower?.isMoving ?? false || upper?.isMoving ?? false else { return self }
            guard let now else { return .never }
            return .isWithin(field, lower: lower?.resolved(at: now, field), upper: upper?.resolved(at: now, field))
        case .isAnyOf(let alternatives):
            return .isAnyOf(alternatives.map { $0.resolved(at: now) })
        case .isAny, .isNone, .has: return self
        }
    }

    fileprivate func movingBounds(of type: String) -> [MovingBound] {
        switch self {
        case .isWithin(let field, let lower, let upper):
            [(lower, true), (upper, false)].compactMap { bound, isLower in
                guard case .moving(let term)? = bound?.limit, let isIncluded = bound?.isIncluded else { return nil }
                return MovingBound(type: type, field: field, term: term, isAfterValue: isIncluded == isLower)
            }
        case .isAnyOf(let alternatives): alternatives.joined().flatMap { $0.movingBounds(of: type) }
        case .isAny, .isNone, .has: []
        }
    }
}

extension RecordCondition.Bound {
    fileprivate var isMoving: Bool { if case .moving = limit { true } else { false } }

    fileprivate func resolved(at now: Moment, _ field: TypeDeclaration.SortField) -> RecordCondition.Bound {
        guard case .moving(let term) = limit else { return self }
        let key = FieldKey(term.values(at: now, of: field).first)
        return RecordCondition.Bound(limit: .fixed(key), isIncluded: isIncluded)
    }
}

extension [RecordCondition] {
    /// The conditions at a moment.
    ///
    /// - Parameter now: `nil` if the catalogue has no time yet: then no record meets a condition about it.
    func resolved(at now: Moment?) -> [RecordCondition] { map { $0.resolved(at: now) } }

    /// The bounds that move with time, of conditions on records of a type.
    func movingBounds(of type: String) -> Set<MovingBound> { Set(flatMap { $0.movingBounds(of: type) }) }
}
