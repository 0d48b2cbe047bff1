package import MarqueeModel

/// One day of a chart, or one time of a day for a chart that changes more often. Entries are in rank order.
package struct ChartDay: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The identity of the title in this chart, such as a release id. Unique within a day.
        package var key: String
        package var title: String
        /// The source's rank, from 1; `nil` if it equals the entry's position in the list, counted from 1. They differ
        /// where ranks are tied or skipped.
        package var rank: UInt32?
        /// The rank in the source's previous list; `nil` if unknown or if there was none.
        package var previousRank: UInt32?
        /// Whether the source marks the entry as new in its chart; `nil` if it doesn't say.
        package var isNew: Bool?
        package var movie: UInt64?
        /// For that day, in `currency`.
        package var gross: UInt64?
        package var grossToDate: UInt64?
        /// ISO 4217; `nil` for US dollars.
        package var currency: String?
        /// People.
        package var audience: UInt64?
        package var audienceToDate: UInt64?
        /// Percent of the chart's total.
        package var share: Double?
        /// Hours viewed.
        package var hours: UInt64?
        package var views: UInt64?
        /// Weeks in the chart so far.
        package var weeks: UInt32?
        package var theaters: UInt32?
        package var daysInRelease: UInt32?
        package var distributor: String?

        package init(key: String, title: String) {
            self.key = key
            self.title = title
        }
    }

    package var chart: String
    package var date: CalendarDate
    /// `nil` in a chart with one list a day.
    package var time: ClockTime?
    package var entries: [Entry]

    package init(chart: String, date: CalendarDate, time: ClockTime? = nil, entries: [Entry]) {
        self.chart = chart
        self.date = date
        self.time = time
        self.entries = entries
    }

    /// Names the day within its chart.
    package var step: ChartStep { ChartStep(date: date, time: time) }
}
