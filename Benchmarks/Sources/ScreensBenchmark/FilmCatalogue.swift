@testable import MarqueeCatalogue
@testable import MarqueeModel

/// The type of the films of a generated catalogue, as an operator declares it, and a programme that shows them.
enum FilmCatalogue {
    static let type = "film"

    static func put(_ film: Film) -> Change { .put(RecordID(type: type, id: "\(film.id)"), .bytes(film.bytes)) }

    // MARK: - The type

    static let types = TypesDocument(
        declarations: """
            descriptors: film.desc
            types:
              film:
                message: bench.Film
                id: id
                localized: [titles]
                sorts: [title, popularity, revenue, vote_average, {field: release_date, as: date}]
                facets: [genres]
            """, descriptors: descriptors)

    /// The descriptor set that `protoc` writes of the schema.
    private static var descriptors: [UInt8] {
        // Numbers of `google.protobuf.FieldDescriptorProto.Type`.
        let (double, uint64, uint32, string, message): (UInt64, UInt64, UInt64, UInt64, UInt64) = (1, 4, 13, 9, 11)
        let (single, repeated): (UInt64, UInt64) = (1, 3)
        func field(
            _ name: String, _ number: UInt64, _ type: UInt64, _ label: UInt64 = single, of other: String = "",
            in message: inout FilmBytes, as place: UInt64 = 2
        ) {
            message.message(place) { field in
                field.text(1, name)
                field.number(3, number)
                field.number(4, label)
                field.number(5, type)
                field.text(6, other)
            }
        }
        var file = FilmBytes()
        file.text(1, "film.proto")
        file.text(2, "bench")
        file.message(4) { film in
            film.text(1, "Film")
            for (name, number, type) in [
                ("id", 1, string), ("title", 2, string), ("original_language", 4, string), ("release_date", 5, string),
                ("runtime", 6, uint32), ("popularity", 9, double), ("revenue", 10, uint64),
                ("vote_average", 11, double),
                ("vote_count", 12, uint32), ("overview", 13, string),
            ] as [(String, UInt64, UInt64)] {
                field(name, number, type, in: &film)
            }
            field("genres", 7, uint64, repeated, in: &film)
            field("countries", 8, string, repeated, in: &film)
            for (name, number, entry) in [("titles", 3, "TitlesEntry"), ("certifications", 14, "CertificationsEntry")]
                as [(String, UInt64, String)]
            {
                field(name, number, message, repeated, of: ".bench.Film.\(entry)", in: &film)
                film.message(3) { nested in
                    nested.text(1, entry)
                    field("key", 1, string, in: &nested)
                    field("value", 2, string, in: &nested)
                    nested.message(7) { $0.number(7, 1) }
                }
            }
            field("poster", 15, message, of: ".bench.Image", in: &film)
            field("backdrop", 16, message, of: ".bench.Image", in: &film)
        }
        file.message(4) { image in
            image.text(1, "Image")
            field("name", 1, string, in: &image)
            field("aspect", 2, double, in: &image)
            field("color", 3, string, in: &image)
        }
        file.text(12, "proto3")
        var set = FilmBytes()
        set.content(1, file.bytes)
        return set.bytes
    }

    // MARK: - The programme

    static func programme(locales: [String]) -> String {
        let card = """
            body: {card: {title: $titles, subtitle: $title, caption: $release_date, text: $overview, \
            image: {name: $poster.name, aspect: $poster.aspect, color: $poster.color}, rating: {value: $vote_average}}}
            """
        let row = """
            body: {card: {title: $titles, image: {name: $poster.name, aspect: $poster.aspect, color: $poster.color}}}
            """
        return """
            locales: [\(locales.joined(separator: ", "))]
            screens:
              home:
                title: Home
                sections:
                  - {id: main, kind: list, source: {records: {type: film, sort: -popularity, limit: 1}}, \(card)}
                  - {id: rank, kind: list, sorts: [-popularity, -release_date], source: {records: {type: film, sort: -popularity, limit: 10}}, \(row)}
                  - {id: action, kind: list, source: {records: {type: film, where: {genres: 28}, sort: -popularity, limit: 20}}, \(row)}
                  - {id: comedy, kind: list, source: {records: {type: film, where: {genres: 35}, sort: -popularity, limit: 20}}, \(row)}
                  - {id: drama, kind: list, source: {records: {type: film, where: {genres: 18}, sort: -popularity, limit: 20}}, \(row)}
                  - {id: acclaimed, kind: list, source: {records: {type: film, sort: -vote_average, limit: 20}}, \(card)}
                  - {id: tiles, kind: list, source: {records: {type: film, where: {genres: 99}, sort: -revenue, limit: 12}}, \(row)}
                  - {id: long, kind: list, windows: [100, 400], source: {records: {type: film, sort: -popularity, limit: 400}}, \(row)}
              all:
                title: All
                sections:
                  - {id: all, kind: list, windows: anywhere, source: {records: {type: film, sort: -popularity}}, \(row)}
              film/$id:
                title: $title
                sections:
                  - {id: detail, kind: detail, source: {record: {type: film, id: $id}}, \(card)}
                  - {id: bytes, kind: detail, source: {record: {type: film, id: $id}}, body: record}
              genre/$id:
                title: Genre
                sections:
                  - {id: films, kind: list, source: {records: {type: film, where: {genres: $id}, sort: -revenue, limit: 100}}, \(row)}
            """
    }
}
