/// A movie as stored in the catalogue. Every field except id and title may be missing.
package struct Movie: Hashable, Sendable, Codable {
    package var id: UInt64
    package var title: String
    package var originalTitle: String?
    package var originalLanguage: String?
    /// Localized titles by locale, such as `ko`.
    package var titles: [String: String]?
    package var releaseDate: CalendarDate?
    /// Minutes.
    package var runtime: UInt32?
    package var genres: [UInt64]?
    /// ISO 3166-1 codes.
    package var countries: [String]?
    package var popularity: Double?
    /// US dollars.
    package var revenue: UInt64?
    /// 0...10.
    package var voteAverage: Double?
    package var voteCount: UInt32?
    package var tagline: String?
    package var overview: String?
    /// Certificate by country, such as `US: PG-13`.
    package var certifications: [String: String]?
    package var poster: ImageReference?
    package var backdrop: ImageReference?

    package init(id: UInt64, title: String) {
        self.id = id
        self.title = title
    }
}

/// A person who appears in credits.
package struct Person: Hashable, Sendable, Codable {
    package var id: UInt64
    package var name: String
    package var popularity: Double?
    package var portrait: ImageReference?

    package init(id: UInt64, name: String) {
        self.id = id
        self.name = name
    }
}

/// The cast, in billing order, and the crew of one movie.
package struct Credits: Hashable, Sendable, Codable {
    package struct Cast: Hashable, Sendable, Codable {
        package var person: UInt64
        package var name: String
        package var character: String?

        package init(person: UInt64, name: String, character: String?) {
            self.person = person
            self.name = name
            self.character = character
        }
    }

    package struct Crew: Hashable, Sendable, Codable {
        package var person: UInt64
        package var name: String
        package var job: String
        package var department: String?

        package init(person: UInt64, name: String, job: String, department: String?) {
            self.person = person
            self.name = name
            self.job = job
            self.department = department
        }
    }

    package var movie: UInt64
    package var cast: [Cast]
    package var crew: [Crew]

    package init(movie: UInt64, cast: [Cast], crew: [Crew]) {
        self.movie = movie
        self.cast = cast
        self.crew = crew
    }
}

/// A genre with its names by locale.
package struct Genre: Hashable, Sendable, Codable {
    package var id: UInt64
    package var names: [String: String]

    package init(id: UInt64, names: [String: String]) {
        self.id = id
        self.names = names
    }
}

/// One day of a chart, or one time of a day for a chart that changes more often. Entries are in rank order.
package struct ChartDay: Hashable, Sendable, Codable {
    package struct Entry: Hashable, Sendable, Codable {
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

/// A reference to an image. Its bytes never travel on this protocol.
public struct ImageReference: Hashable, Sendable, Codable {
    /// A name to be appended to the server's image base URL, or a complete URL.
    public var name: String
    /// Width / height.
    public var aspect: Double?
    /// `#rrggbb`, shown until the image is loaded.
    public var color: String?

    public init(name: String, aspect: Double? = nil, color: String? = nil) {
        self.name = name
        self.aspect = aspect
        self.color = color
    }
}
