import MarqueeServer

/// The part of a list that an operator requests.
package struct PageQuery: Hashable {
    package static let limits = 1...500
    package static let standardLimit = 50
    /// The allowed offsets, far beyond any list's length.
    package static let offsets = 0...10_000_000

    /// A mistake in a query, explained for the client.
    struct Mistake: Error, Hashable {
        var message: String
    }

    var offset = 0
    var limit = PageQuery.standardLimit
    /// `nil` for the list's usual order.
    var sort: String?

    init(offset: Int = 0, limit: Int = PageQuery.standardLimit, sort: String? = nil) {
        self.offset = offset
        self.limit = limit
        self.sort = sort
    }

    /// - Parameter parameter: returns the value of a parameter, or `nil` if it is missing.
    init(_ parameter: (String) -> String?) throws(Mistake) {
        limit = try Self.number(parameter("limit"), "limit", Self.limits) ?? Self.standardLimit
        offset = try Self.number(parameter("offset"), "offset", Self.offsets) ?? 0
        sort = parameter("sort")
    }

    private static func number(
        _ text: String?, _ name: String, _ range: ClosedRange<Int>
    ) throws(Mistake) -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Mistake(message: "\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The rows of this page.
    func rows<Row>(of all: [Row]) -> [Row] { Array(all.dropFirst(offset).prefix(limit)) }
}

extension ChosenSessions {
    /// - Parameter parameter: returns the value of a parameter, or `nil` if it is missing.
    init(_ parameter: (String) -> String?) throws(PageQuery.Mistake) {
        switch (parameter("connection"), parameter("user")) {
        case (let connection?, nil):
            guard let number = UInt64(connection) else {
                throw PageQuery.Mistake(message: "connection is the number of one, as in the list of sessions")
            }
            self = .connection(number)
        case (nil, let user?): self = .user(user)
        default: throw PageQuery.Mistake(message: "either 'connection' or 'user' says which sessions to end")
        }
    }
}
