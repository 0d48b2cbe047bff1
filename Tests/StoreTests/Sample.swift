import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes

/// Types of a podcast app, records of those types, and text that could trip up an encoding.
enum Sample {
    static let awkward = "tab\t newline\n return\r backslash \\N quote \" é 기생충 🎬"

    /// The schema, which the tests of types share.
    static let descriptors: [UInt8] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "TypesTests/Fixtures/podcast.desc")
        return [UInt8]((try? Data(contentsOf: file)) ?? Data())
    }()

    static func types(_ declarations: String) -> Change {
        .types(TypesDocument(declarations: declarations, descriptors: descriptors))
    }

    static let types = types(
        show: "{fields: [title, author], rank: year}", episode: "{fields: [title, topics], rank: plays}")

    /// - Parameter show: the searched fields, as YAML; `nil` for none.
    static func types(show: String?, episode: String?, trailer: String? = nil) -> Change {
        types(declarations(show: show, episode: episode, trailer: trailer))
    }

    private static func declarations(show: String?, episode: String?, trailer: String?) -> String {
        func search(_ text: String?) -> String { text.map { ", search: \($0)" } ?? "" }
        return """
            descriptors: podcast.desc
            types:
              show: {message: podcast.v1.Show, id: slug, localized: [title]\(search(show))}
              episode: {message: podcast.v1.Episode, id: guid, references: {show: show}\(search(episode))}
              trailer: {message: podcast.v1.Episode, id: guid\(search(trailer))}
            lists:
              top: {of: [episode, show], place: podcast.v1.Audio}
              daily: {of: [episode], editions: true}
            """
    }

    /// A record as the log holds it, in canonical bytes.
    static func put(_ type: String, _ id: String, _ fields: [String: Any]) -> Change {
        do {
            guard let coder = coders[type] else { preconditionFailure("there is no type \(type)") }
            let json = try JSONSerialization.data(withJSONObject: fields)
            return .put(RecordID(type: type, id: id), .bytes(try coder.record(json: Array(json))))
        } catch {
            preconditionFailure("the record \(id) can't be written: \(error)")
        }
    }

    private static let coders: [String: RecordCoder] = {
        let types = try? TypeSet(
            declarations(show: nil, episode: nil, trailer: nil), file: "types", descriptors: descriptors)
        return Dictionary(uniqueKeysWithValues: (types?.types ?? []).map { ($0.alias, $0.coder) })
    }()

    /// A change that needs no types.
    static func page(_ number: UInt64, title: String? = nil) -> Change {
        let sections = title.map { [Page.Section(id: "s", type: "large", title: $0, list: "top")] }
        return .page(Page(id: "\(number)", sections: sections ?? []))
    }

    /// An edition of a list.
    static func day(_ edition: String, _ ids: String...) -> Change {
        .list(RecordList(ListName("daily", edition: edition), entries: ids.map { ListEntry(.episode($0)) }))
    }

    /// A record with every field set.
    static let episode = put(
        "episode", "full",
        [
            "guid": "full", "show": "crumb", "title": awkward, "published": "2010-07-15T00:00:00.5Z",
            "plays": "18446744073709551615", "minutes": 148, "topics": ["", awkward],
            "chapters": [["title": "One", "start": "90s"], [:]],
            "audio": ["url": "a.mp3", "bytes": "7", "codec": ["name": "aac", "kbps": 96]],
            "summary": [["locale": "ko", "text": "요약"]], "kind": "KIND_FULL", "recorded": "2010-02-28",
            "rating": 0.1 + 0.2, "explicit": true, "guests": ["people": ["-5", "0"], "host": ["name": "Ada"]],
        ])

    /// One change of every kind, in the order of a snapshot.
    static var everything: [Change] {
        let audio = RecordContent.bytes([0x0A, 1, UInt8(ascii: "x"), 0x10, 7])
        return [
            types, .episode("2"), episode, .show("crumb", ["en": awkward, "ko": "빵"], author: "Ada", followers: 9),
            day("01"), day("02", "2", "full"),
            .list(
                RecordList(
                    ListName("top"),
                    entries: [
                        ListEntry(.episode("full"), place: audio), ListEntry(key: "item 2", place: .bytes([])),
                        ListEntry(key: awkward.filter { !$0.isNewline && $0 != "\t" }, record: .episode("gone")),
                    ])),
            .list(RecordList(ListName("top/empty"), entries: [])),
            .show(list: "daily", edition: "02"),
            .chooseRecord(pool: "main", record: .episode("2")), .chooseEntry(pool: "side", entry: "item 2"),
            .page(Page(id: "home", sections: [.init(id: "s", type: "large", title: awkward, list: "top")])),
            .programme("sections:\n  - home\n"), .time(Moment(milliseconds: 1_766_000_000_250)),
            .source(SourcePosition("shop", at: "16/B3 x", moved: Moment(milliseconds: 1_766_000_000_251))),
        ]
    }
}

extension RecordID {
    static func episode(_ id: String) -> RecordID { RecordID(type: "episode", id: id) }
}

extension Change {
    static func show(_ id: String, _ title: [String: String], author: String = "", followers: Int? = nil) -> Change {
        var record: [String: Any] = ["slug": id, "title": title, "author": author]
        record["year"] = followers
        return Sample.put("show", id, record)
    }

    static func episode(
        _ id: String, _ title: String = "Inception", topics: [String] = [], plays: UInt64? = nil,
        type: String = "episode"
    ) -> Change {
        var record: [String: Any] = ["guid": id, "title": title, "topics": topics]
        record["plays"] = plays.map { "\($0)" }
        return Sample.put(type, id, record)
    }
}

extension SearchScope {
    static let podcasts = SearchScope(types: ["show", "episode"])
}
