import MarqueeServer

/// A page of the sessions, those that need attention first.
package struct SessionPage: Codable {
    package enum Order: String, CaseIterable, Sendable {
        /// The slowest clients first.
        case lag
        case buffered
        case sent
        case age
        case subscriptions
    }

    package struct Row: Codable {
        package var connection: UInt64
        package var state: String
        package var user: String?
        package var address: String
        package var ageSeconds: Double
        package var screens: [String]
        package var subscriptions: Int
        /// `null` before the session is live.
        package var revision: UInt64?
        package var lagSeconds: Double
        package var sectionsBehind: Int
        package var bufferedBytes: Int
        package var unacknowledgedBytes: UInt64
        package var sentBytes: UInt64
        package var answerBytes: Int
        package var publicationBytes: Int
    }

    package let total: Int
    package let offset: Int
    package let limit: Int
    package let sort: String
    /// The revision that up-to-date sessions have been sent.
    package let revision: UInt64
    package let sessions: [Row]

    /// - Throws: `PageQuery.Mistake` for an unknown order.
    init(_ figures: ServerFigures, _ page: PageQuery) throws(PageQuery.Mistake) {
        guard let order = Order(rawValue: page.sort ?? Order.lag.rawValue) else {
            throw PageQuery.Mistake(
                message: "sort is one of \(Order.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let sorted = figures.sessions.sorted { a, b in
            let (first, second) = (a.place(in: order), b.place(in: order))
            return first == second ? a.connection < b.connection : first > second
        }
        total = sorted.count
        offset = page.offset
        limit = page.limit
        sort = order.rawValue
        revision = figures.revision
        sessions = page.rows(of: sorted).map(Row.init)
    }
}

extension SessionReport {
    fileprivate var unacknowledged: UInt64 { load.sentBytes - min(load.sentBytes, load.acknowledgedBytes) }

    /// Returns the values by which it is sorted, largest first.
    fileprivate func place(in order: SessionPage.Order) -> [UInt64] {
        switch order {
        case .lag: [lag, unacknowledged]
        case .buffered: [UInt64(load.bufferedBytes + load.waitingBytes)]
        case .sent: [load.sentBytes]
        case .age: [age]
        case .subscriptions: [UInt64(subscriptions)]
        }
    }
}

extension [UInt64] {
    fileprivate static func > (a: [UInt64], b: [UInt64]) -> Bool { b.lexicographicallyPrecedes(a) }
}

extension SessionPage.Row {
    fileprivate init(_ report: SessionReport) {
        connection = report.connection
        state = report.state.rawValue
        user = report.user
        address = report.address
        ageSeconds = Double(report.age) / 1_000
        screens = report.screens
        subscriptions = report.subscriptions
        revision = report.revision
        lagSeconds = Double(report.lag) / 1_000
        sectionsBehind = report.load.variantsBehind
        bufferedBytes = report.load.bufferedBytes + report.load.waitingBytes
        unacknowledgedBytes = report.unacknowledged
        sentBytes = report.load.sentBytes
        answerBytes = report.load.answerBytes
        publicationBytes = report.load.publicationBytes
    }
}
