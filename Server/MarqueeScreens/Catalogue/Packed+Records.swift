import MarqueeCatalogue
import MarqueeModel

extension Movie: Packable {
    // Title and genres come first because they are read on their own.
    func pack(into writer: inout PackWriter) {
        writer.text(title)
        writer.optional(genres) { $0.list($1) { $0.number($1) } }
        writer.number(id)
        writer.optional(originalTitle) { $0.text($1) }
        writer.optional(originalLanguage) { $0.text($1) }
        writer.optional(titles) { $0.texts($1) }
        writer.optional(releaseDate) { $0.date($1) }
        writer.optional(runtime) { $0.number(UInt64($1)) }
        writer.optional(countries) { $0.list($1) { $0.text($1) } }
        writer.optional(popularity) { $0.double($1) }
        writer.optional(revenue) { $0.number($1) }
        writer.optional(voteAverage) { $0.double($1) }
        writer.optional(voteCount) { $0.number(UInt64($1)) }
        writer.optional(tagline) { $0.text($1) }
        writer.optional(overview) { $0.text($1) }
        writer.optional(certifications) { $0.texts($1) }
        writer.optional(poster) { $0.image($1) }
        writer.optional(backdrop) { $0.image($1) }
    }

    init(unpacking reader: inout PackReader) {
        let title = reader.text()
        let genres = Movie.genres(&reader)
        self.init(id: reader.number(), title: title)
        self.genres = genres
        originalTitle = reader.optional { $0.text() }
        originalLanguage = reader.optional { $0.text() }
        titles = reader.optional { $0.texts() }
        releaseDate = reader.optional { $0.date() } ?? nil
        runtime = reader.optional { UInt32($0.number()) }
        countries = reader.optional { $0.list { $0.text() } }
        popularity = reader.optional { $0.double() }
        revenue = reader.optional { $0.number() }
        voteAverage = reader.optional { $0.double() }
        voteCount = reader.optional { UInt32($0.number()) }
        tagline = reader.optional { $0.text() }
        overview = reader.optional { $0.text() }
        certifications = reader.optional { $0.texts() }
        poster = reader.optional { $0.image() }
        backdrop = reader.optional { $0.image() }
    }

    fileprivate static func genres(_ reader: inout PackReader) -> [UInt64]? {
        reader.optional { $0.list { $0.number() } }
    }
}

extension Packed<Movie> {
    var title: String { reading { $0.text() } }

    /// Its genres, without duplicates.
    var genres: Set<UInt64> {
        reading {
            _ = $0.text()
            return Set(Movie.genres(&$0) ?? [])
        }
    }
}

extension Person: Packable {
    func pack(into writer: inout PackWriter) {
        writer.number(id)
        writer.text(name)
        writer.optional(popularity) { $0.double($1) }
        writer.optional(portrait) { $0.image($1) }
    }

    init(unpacking reader: inout PackReader) {
        self.init(id: reader.number(), name: reader.text())
        popularity = reader.optional { $0.double() }
        portrait = reader.optional { $0.image() }
    }
}

extension Credits: Packable {
    func pack(into writer: inout PackWriter) {
        writer.number(movie)
        writer.list(cast) { writer, credit in
            writer.number(credit.person)
            writer.text(credit.name)
            writer.optional(credit.character) { $0.text($1) }
        }
        writer.list(crew) { writer, credit in
            writer.number(credit.person)
            writer.text(credit.name)
            writer.text(credit.job)
            writer.optional(credit.department) { $0.text($1) }
        }
    }

    init(unpacking reader: inout PackReader) {
        self.init(
            movie: reader.number(),
            cast: reader.list { reader in
                Cast(person: reader.number(), name: reader.text(), character: reader.optional { $0.text() })
            },
            crew: reader.list { reader in
                Crew(
                    person: reader.number(), name: reader.text(), job: reader.text(),
                    department: reader.optional { $0.text() })
            })
    }
}

extension PackWriter {
    fileprivate mutating func texts(_ texts: [String: String]) {
        list(texts) { writer, entry in
            writer.text(entry.key)
            writer.text(entry.value)
        }
    }

    fileprivate mutating func date(_ date: CalendarDate) {
        number(UInt64(date.year))
        number(UInt64(date.month))
        number(UInt64(date.day))
    }

    fileprivate mutating func image(_ image: ImageReference) {
        text(image.name)
        optional(image.aspect) { $0.double($1) }
        optional(image.color) { $0.text($1) }
    }
}

extension PackReader {
    fileprivate mutating func texts() -> [String: String] {
        let count = Int(number())
        var texts = [String: String](minimumCapacity: count)
        for _ in 0..<count {
            let key = text()
            texts[key] = text()
        }
        return texts
    }

    fileprivate mutating func date() -> CalendarDate? {
        CalendarDate(year: Int(number()), month: Int(number()), day: Int(number()))
    }

    fileprivate mutating func image() -> ImageReference {
        ImageReference(name: text(), aspect: optional { $0.double() }, color: optional { $0.text() })
    }
}
