package import MarqueeModel

/// A movie as stored in the catalogue. Every field except id and title may be missing.
package struct Movie: Hashable, Sendable {
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

/// Fields of a movie that change often; an absent one is unchanged.
package struct MovieUpdate: Hashable, Sendable {
    package var id: UInt64
    package var popularity: Double?
    package var revenue: UInt64?
    package var voteAverage: Double?
    package var voteCount: UInt32?

    package init(id: UInt64) { self.id = id }
}

/// A person who appears in credits.
package struct Person: Hashable, Sendable {
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
package struct Credits: Hashable, Sendable {
    package struct Cast: Hashable, Sendable {
        package var person: UInt64
        package var name: String
        package var character: String?

        package init(person: UInt64, name: String, character: String?) {
            self.person = person
            self.name = name
            self.character = character
        }
    }

    package struct Crew: Hashable, Sendable {
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
package struct Genre: Hashable, Sendable {
    package var id: UInt64
    package var names: [String: String]

    package init(id: UInt64, names: [String: String]) {
        self.id = id
        self.names = names
    }
}
