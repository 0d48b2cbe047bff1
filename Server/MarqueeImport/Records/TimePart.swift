/// A part of a time, as a pattern of `strptime` names it.
///
/// The system's function takes any parts together: of two that contradict each other it ignores one, and a missing part
/// gets its first value. Both would give times that are hours or months off.
enum TimePart: String {
    case year
    case century
    case yearOfCentury = "year of a century"
    case month
    case day
    case yearDay = "day of the year"
    case week
    case weekday
    case hour
    case halfDayHour = "hour of twelve"
    case halfDay = "half of the day"
    case minute
    case second

    static let years: Set<TimePart> = [.year, .century, .yearOfCentury]

    /// The parts that a directive reads.
    static func parts(of directive: Character) -> [TimePart] {
        switch directive {
        case "Y": [.year]
        case "C": [.century]
        case "y": [.yearOfCentury]
        case "m", "b", "B", "h": [.month]
        case "d", "e": [.day]
        case "j": [.yearDay]
        case "U", "W": [.week]
        case "a", "A", "u", "w": [.weekday]
        case "H", "k": [.hour]
        case "I", "l": [.halfDayHour]
        case "p": [.halfDay]
        case "M": [.minute]
        case "S": [.second]
        case "D", "x": [.month, .day, .yearOfCentury]
        case "F": [.year, .month, .day]
        case "R": [.hour, .minute]
        case "T", "X": [.hour, .minute, .second]
        case "r": [.halfDayHour, .minute, .second, .halfDay]
        case "c": [.weekday, .month, .day, .hour, .minute, .second, .year]
        default: []
        }
    }

    /// Why parts contradict each other or determine no time; `nil` if they determine one. A year or month alone means
    /// its first day, and a day alone its beginning.
    static func problem(of parts: Set<TimePart>) -> String? { dateProblem(of: parts) ?? dayProblem(of: parts) }

    private static func dateProblem(of parts: Set<TimePart>) -> String? {
        if parts.contains(.year), !parts.isDisjoint(with: [.century, .yearOfCentury]) {
            return "it has the year twice"
        }
        if parts.contains(.century), !parts.contains(.yearOfCentury) { return "the century, %C, needs %y" }
        if parts.contains(.day), !parts.contains(.month) { return "a day, such as %d, needs a month, such as %m" }
        if parts.contains(.yearDay) {
            return parts.isDisjoint(with: [.month, .day, .week, .weekday])
                ? nil : "the day of the year, %j, can't be combined with a month, week or other day"
        }
        if parts.contains(.week) {
            guard parts.isDisjoint(with: [.month, .day]) else {
                return "a week, such as %W, can't be combined with a month or day"
            }
            return parts.contains(.weekday) ? nil : "a week, such as %W, needs a day of the week, such as %u"
        }
        return parts.contains(.weekday) && !parts.contains(.day)
            ? "a day of the week, such as %a, needs a day of the month or a week" : nil
    }

    private static func dayProblem(of parts: Set<TimePart>) -> String? {
        if parts.contains(.hour), !parts.isDisjoint(with: [.halfDayHour, .halfDay]) {
            return "an hour of 24, such as %H, can't be combined with %p or %I; %I with %p is an hour of twelve"
        }
        if parts.contains(.halfDayHour) != parts.contains(.halfDay) {
            return "an hour of twelve, %I, and AM or PM, %p, go together"
        }
        if parts.contains(.minute), parts.isDisjoint(with: [.hour, .halfDayHour]) {
            return "minutes need an hour, such as %H"
        }
        return parts.contains(.second) && !parts.contains(.minute) ? "seconds need minutes, %M" : nil
    }
}
