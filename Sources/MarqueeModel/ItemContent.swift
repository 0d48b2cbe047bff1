/// What an item shows, decoded from its body.
public enum ItemContent: Hashable, Sendable {
    case movie(MovieContent)
    case genre(GenreContent)
    case credit(CreditContent)
    case banner(BannerContent)
    case text(TextContent)
    case course(CourseContent)
    case categories([String])
    case detail(DetailContent)
    case chartEntry(ChartEntryContent)
    case place(PlaceContent)
    case card(CardContent)
    /// - `revision`: the user revision that set it.
    case member(revision: UInt64, value: CollectionValue?)
    /// A kind unknown to this build, or a body it can't decode. The bytes are as received.
    case unknown(kind: ItemKind, bytes: [UInt8])
}

extension ItemContent {
    /// Categories arranged in two rows: split in the middle, with the extra one of an odd number above. `nil` for other
    /// content.
    public var categoryRows: (above: [String], below: [String])? {
        guard case .categories(let titles) = self else { return nil }
        let middle = (titles.count + 1) / 2
        return (Array(titles[..<middle]), Array(titles[middle...]))
    }
}

/// A rating certificate as issued by one country.
public struct CertificationContent: Hashable, Sendable {
    public enum ColorClass: String, Hashable, Sendable, CaseIterable { case everyone, teen, adult, unrated }

    public var country: String
    /// Such as `PG-13`; `NR` for a movie without one.
    public var code: String
    public var label: String
    public var colorClass: ColorClass

    public init(country: String, code: String, label: String, colorClass: ColorClass) {
        self.country = country
        self.code = code
        self.label = label
        self.colorClass = colorClass
    }
}

public struct MovieContent: Hashable, Sendable {
    public var id: UInt64
    public var title: String
    public var originalTitle: String?
    public var releaseDate: CalendarDate?
    /// Minutes.
    public var runtime: UInt32?
    public var genres: [String]
    /// 0...10.
    public var voteAverage: Double?
    public var voteCount: UInt32?
    public var popularity: Double?
    public var poster: ImageReference?
    public var backdrop: ImageReference?
    public var certification: CertificationContent?
    public var overview: String?
    /// US dollars.
    public var revenue: UInt64?

    public init(id: UInt64, title: String) {
        self.id = id
        self.title = title
        self.genres = []
    }
}

public struct GenreContent: Hashable, Sendable {
    public var id: UInt64
    public var name: String
    public var image: ImageReference?
    /// Number of movies in the genre.
    public var movies: UInt32

    public init(id: UInt64, name: String, image: ImageReference? = nil, movies: UInt32 = 0) {
        self.id = id
        self.name = name
        self.image = image
        self.movies = movies
    }
}

public struct CreditContent: Hashable, Sendable {
    public var person: UInt64
    public var name: String
    public var character: String?
    /// Crew only.
    public var job: String?
    public var portrait: ImageReference?

    public init(
        person: UInt64, name: String, character: String? = nil, job: String? = nil, portrait: ImageReference? = nil
    ) {
        self.person = person
        self.name = name
        self.character = character
        self.job = job
        self.portrait = portrait
    }
}

public struct BannerContent: Hashable, Sendable {
    public var title: String
    public var caption: String?
    public var description: String?
    public var image: ImageReference?
    public var link: String?
    public var actions: [ScreenAction]

    public init(title: String) {
        self.title = title
        self.actions = []
    }
}

public struct TextContent: Hashable, Sendable {
    public var text: String
    /// The part of the text that triggers the action.
    public var highlighted: String?
    public var action: ScreenAction?

    public init(text: String, highlighted: String? = nil, action: ScreenAction? = nil) {
        self.text = text
        self.highlighted = highlighted
        self.action = action
    }
}

public struct CourseContent: Hashable, Sendable {
    public var title: String
    public var author: String?
    public var rating: Double?
    public var reviews: UInt32?
    /// A decimal number, as text.
    public var price: String?
    public var tag: String?
    public var image: ImageReference?

    public init(title: String) { self.title = title }
}

public struct PlaceContent: Hashable, Sendable {
    public var title: String
    public var distance: String?
    public var image: ImageReference?

    public init(title: String, distance: String? = nil, image: ImageReference? = nil) {
        self.title = title
        self.distance = distance
        self.image = image
    }
}

public struct DetailContent: Hashable, Sendable {
    public var id: UInt64
    public var title: String
    public var originalTitle: String?
    public var releaseDate: CalendarDate?
    public var countries: [String]
    public var genres: [String]
    /// Minutes.
    public var runtime: UInt32?
    public var tagline: String?
    public var overview: String?
    /// `2010.07.15 │ US │ Action │ 148 min`.
    public var infoLine: String
    public var certification: CertificationContent?
    public var directors: [String]
    /// 0...10.
    public var voteAverage: Double?
    public var voteCount: UInt32?
    public var poster: ImageReference?
    public var backdrop: ImageReference?
    /// US dollars.
    public var revenue: UInt64?

    public init(id: UInt64, title: String) {
        self.id = id
        self.title = title
        self.countries = []
        self.genres = []
        self.infoLine = ""
        self.directors = []
    }
}

public struct ChartEntryContent: Hashable, Sendable {
    public var title: String
    /// The chart source's rank, from 1; `nil` if it equals the item's position in its section, counted from
    /// 1. They differ where ranks are tied or skipped.
    public var rank: UInt32?
    /// The rank in the previous list; `nil` if unknown or if there was none.
    public var previousRank: UInt32?
    /// Whether the chart's source marks the entry as new.
    public var isNew = false
    public var movie: UInt64?
    public var releaseDate: CalendarDate?
    /// For that day, in `currency`.
    public var gross: UInt64?
    public var grossToDate: UInt64?
    /// ISO 4217; `nil` for US dollars.
    public var currency: String?
    /// People, that day or hour.
    public var audience: UInt64?
    public var audienceToDate: UInt64?
    /// Percent of the chart's total, such as a share of all reservations.
    public var share: Double?
    /// Hours viewed.
    public var hours: UInt64?
    public var views: UInt64?
    /// Weeks in the chart so far.
    public var weeks: UInt32?
    public var theaters: UInt32?
    public var daysInRelease: UInt32?
    public var distributor: String?
    public var poster: ImageReference?
    /// 0...10.
    public var voteAverage: Double?

    public init(title: String) { self.title = title }
}
