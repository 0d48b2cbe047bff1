package import MarqueeCatalogue
import MarqueeModel
import MarqueePresets

extension RecordID {
    package static func movie(_ id: UInt64) -> RecordID { RecordID(type: PresetCatalogue.movie, id: "\(id)") }
    package static func genre(_ id: UInt64) -> RecordID { RecordID(type: "genre", id: "\(id)") }
    package static func person(_ id: UInt64) -> RecordID { RecordID(type: "person", id: "\(id)") }
    /// The credits of a movie.
    package static func credits(_ movie: UInt64) -> RecordID { RecordID(type: "credits", id: "\(movie)") }
}

extension Movie {
    /// The change that stores it as a record.
    package var change: Change { .put(.movie(id), .json(record)) }

    /// The locale of texts that name none.
    static let originalLocale = "en"

    var record: JSONValue {
        var fields = Fields()
        fields.add("id", id)
        var titles = titles ?? [:]
        titles[Self.originalLocale] = title
        fields.add("title", titles)
        fields.add("originalTitle", originalTitle)
        fields.add("originalLanguage", originalLanguage)
        fields.add("releaseDate", releaseDate?.description)
        fields.add("releaseLabel", releaseDate?.description.replacing("-", with: "."))
        fields.add("runtime", runtime == 0 ? nil : runtime)
        fields.add("genres", genres?.map { .number("\($0)") })
        fields.add("countries", countries?.map { .text($0) })
        fields.add("popularity", popularity)
        fields.add("revenue", revenue == 0 ? nil : revenue)
        fields.add("voteAverage", voteAverage)
        fields.add("voteCount", voteCount)
        fields.add("tagline", tagline)
        fields.add("overview", overview)
        fields.add("certificate", Certificate(of: self).record)
        fields.add("poster", poster)
        fields.add("backdrop", backdrop)
        fields.add("credits", id)
        return fields.json
    }
}

extension MovieUpdate {
    /// The change that updates the fields that it has.
    package var change: Change { .merge(.movie(id), .json(record), clear: []) }

    var record: JSONValue {
        var fields = Fields()
        fields.add("popularity", popularity)
        fields.add("revenue", revenue)
        fields.add("voteAverage", voteAverage)
        fields.add("voteCount", voteCount)
        return fields.json
    }
}

extension Person {
    /// The change that stores it as a record.
    package var change: Change { .put(.person(id), .json(record)) }

    var record: JSONValue {
        var fields = Fields()
        fields.add("id", id)
        fields.add("name", name)
        fields.add("popularity", popularity)
        fields.add("portrait", portrait)
        return fields.json
    }
}

extension Genre {
    /// The change that stores it as a record.
    package var change: Change { .put(.genre(id), .json(record)) }

    var record: JSONValue {
        var fields = Fields()
        fields.add("id", id)
        fields.add("name", names)
        return fields.json
    }
}

/// The certificate to show for a movie: the United States' if there is one, else "not rated".
private struct Certificate {
    static let country = "US"
    static let unrated = "NR"

    let code: String
    let colorClass: String
    let labels: [String: String]

    init(of movie: Movie) {
        let given = movie.certifications?[Self.country].map { $0.filter { !$0.isWhitespace } } ?? ""
        code = given.isEmpty ? Self.unrated : given
        (colorClass, labels) =
            switch code {
            case "R", "NC-17": ("adult", ["en": "Adults only", "ko": "청소년 관람불가"])
            case "PG", "G": ("everyone", ["en": "Everyone", "ko": "전체 관람가"])
            case "PG-13": ("teen", ["en": "15 and over", "ko": "15세 이상 관람가"])
            default: ("unrated", ["en": "Not rated", "ko": "등급 없음"])
            }
    }

    var record: JSONValue {
        var fields = Fields()
        fields.add("country", Self.country)
        fields.add("code", code)
        fields.add("label", labels)
        fields.add("colorClass", colorClass)
        return fields.json
    }
}
