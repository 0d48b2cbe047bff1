import MarqueeCatalogue
import MarqueeModel

/// The programme of a real conference, turned into the records of the conference app.
///
/// Its timetable names sessions by slot and hall; a record is one talk: a session that fills several slots in a row is
/// one, a break that is named on two days is two.
struct ConferenceData {
    struct Day: Decodable {
        struct Track: Decodable { let title: String }
        struct Slot: Decodable {
            let startTime: String
            let endTime: String
            /// By track; a single entry belongs to all of them.
            let sessions: [[Int]]

            /// The track that an entry belongs to; `nil`: all.
            func track(_ index: Int) -> Int? { sessions.count == 1 ? nil : index }
        }

        let date: String
        let tracks: [Track]
        let timeslots: [Slot]
    }

    struct Session: Decodable {
        let id: Int
        let title: String
        let speakers: [Int]?
        let language: String?
        let complexity: String?
        let tags: [String]?
    }

    struct Speaker: Decodable {
        let id: Int
        let name: String
        let title: String
        let company: String
        let country: String
        let featured: Bool
    }

    /// A session at a time and place.
    struct Talk {
        let id: String
        let session: Session
        let day: String
        let from: String
        var to: String
        let track: Int?

        var starts: String { "\(day) \(from)" }
    }

    let days: [Day]
    let sessions: [Session]
    let speakers: [Speaker]
    /// The talks in the order of the timetable.
    let talks: [Talk]

    init() throws {
        days = try AppData.read([Day].self, from: "conference/schedule.json")
        sessions = try AppData.read([Session].self, from: "conference/sessions.json")
        speakers = try AppData.read([Speaker].self, from: "conference/speakers.json")
        talks = Self.talks(days, Dictionary(uniqueKeysWithValues: sessions.map { ($0.id, $0) }))
    }

    private static func talks(_ days: [Day], _ sessions: [Int: Session]) -> [Talk] {
        var talks: [Talk] = []
        for day in days {
            for (number, slot) in day.timeslots.enumerated() {
                for (index, ids) in slot.sessions.enumerated() {
                    for id in ids {
                        guard let session = sessions[id] else { continue }
                        let track = slot.track(index)
                        let earlier = talks.lastIndex { talk in
                            talk.session.id == id && talk.day == day.date && talk.track == track && number > 0
                                && talk.to == day.timeslots[number - 1].endTime
                        }
                        if let earlier {
                            talks[earlier].to = slot.endTime
                            continue
                        }
                        let count = talks.count { $0.session.id == id }
                        talks.append(
                            Talk(
                                id: count == 0 ? "\(id)" : "\(id)-\(count + 1)", session: session, day: day.date,
                                from: slot.startTime, to: slot.endTime, track: track))
                    }
                }
            }
        }
        return talks
    }

    /// Named by when they begin.
    var slots: [String] { days.flatMap { day in day.timeslots.map { "\(day.date) \($0.startTime)" } } }
}

// MARK: - Changes

extension ConferenceData {
    static func id(of room: String) -> String { room.lowercased().replacing(" ", with: "-") }

    /// All of it: rooms, speakers, sessions, and an edition of `now` and `next` for each slot.
    func changes() throws -> [Change] {
        let rooms = try days.first?.tracks.map { track in
            try record("room", Self.id(of: track.title), ["name": ["en": track.title]])
        }
        let unscheduled = try sessions.filter { session in !talks.contains { $0.session.id == session.id } }
            .map { try record("session", "\($0.id)", fields(of: $0)) }
        let people = try speakers.map { try speaker($0) }
        let scheduled = try talks.map { try talk($0) }
        return try [rooms ?? [], people, scheduled, unscheduled, editions()].flatMap { $0 }
    }

    private func record(_ type: String, _ id: String, _ fields: [String: Any]) throws -> Change {
        var fields = fields
        fields["id"] = id
        return try Change("put", type, id, fields)
    }

    private func speaker(_ speaker: Speaker) throws -> Change {
        let given = talks.filter { $0.session.speakers?.contains(speaker.id) == true }.map(\.id)
        return try record(
            "speaker", "\(speaker.id)",
            [
                "name": speaker.name, "role": ["en": speaker.title], "company": speaker.company,
                "from": speaker.country, "featured": speaker.featured, "sessions": given,
            ])
    }

    private func fields(of session: Session) -> [String: Any] {
        var fields: [String: Any] = ["title": ["en": session.title]]
        fields["speakers"] = session.speakers?.map { "\($0)" }
        fields["language"] = session.language
        fields["level"] = session.complexity
        fields["track"] = session.tags?.first
        return fields
    }

    private func talk(_ talk: Talk) throws -> Change {
        var fields = fields(of: talk.session)
        fields["day"] = talk.day
        fields["starts"] = talk.starts
        fields["from"] = talk.from
        fields["to"] = talk.to
        if let track = talk.track, let day = days.first(where: { $0.date == talk.day }) {
            fields["room"] = Self.id(of: day.tracks[track].title)
        }
        return try record("session", talk.id, fields)
    }

    /// By the times of talks: what runs when a slot begins, and what begins with the one after it.
    private func editions() throws -> [Change] {
        try zip(slots, slots.dropFirst().map { Optional($0) } + [nil]).flatMap { slot, following -> [Change] in
            let now = talks.filter { $0.starts <= slot && slot < "\($0.day) \($0.to)" }.sorted(by: Self.isBefore)
            let next = talks.filter { $0.starts == following }.sorted(by: Self.isBefore)
            return try [
                list("now", slot, now.map { ["record": "session/\($0.id)", "place": ["until": $0.to]] }),
                list("next", slot, next.map { ["record": "session/\($0.id)"] }),
            ]
        }
    }

    private static func isBefore(_ one: Talk, _ other: Talk) -> Bool { (one.track ?? -1) < (other.track ?? -1) }

    private func list(_ name: String, _ edition: String, _ entries: [[String: Any]]) throws -> Change {
        try Change(json: ["list": ["list": name, "edition": edition, "entries": entries] as [String: Any]])
    }

    /// Returns the changes that somebody at the venue's desk publishes when a slot begins.
    static func show(_ slot: String) throws -> [Change] {
        try ["now", "next"].map { try Change(json: ["show": ["list": $0, "edition": slot]]) }
    }
}
