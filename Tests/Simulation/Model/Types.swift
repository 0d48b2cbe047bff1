import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes

/// The types of a schedule's records, and its list, whose editions are days.
enum Types {
    /// Of this file, by `protoc --descriptor_set_out`:
    ///
    ///     syntax = "proto3";
    ///     package sim;
    ///     message Film {
    ///       string id = 1; string title = 2; optional double rating = 3; string released = 4;
    ///       repeated string topics = 5;
    ///     }
    ///     message Topic { string id = 1; string name = 2; }
    ///     message Cast { string film = 1; repeated Part parts = 2; }
    ///     message Part { string person = 1; string role = 2; }
    ///     message Place { string note = 1; }
    ///     message Clip { string id = 1; }
    static let descriptors = [UInt8](
        Data(
            base64Encoded: """
                CvYCCglzaW0ucHJvdG8SA3NpbSKIAQoERmlsbRIOCgJpZBgBIAEoCVICaWQSFAoFdGl0bGUYAiABKAlSBXRpdGxlEhsKBnJhdGlu\
                ZxgDIAEoAUgAUgZyYXRpbmeIAQESGgoIcmVsZWFzZWQYBCABKAlSCHJlbGVhc2VkEhYKBnRvcGljcxgFIAMoCVIGdG9waWNzQgkK\
                B19yYXRpbmciKwoFVG9waWMSDgoCaWQYASABKAlSAmlkEhIKBG5hbWUYAiABKAlSBG5hbWUiOwoEQ2FzdBISCgRmaWxtGAEgASgJ\
                UgRmaWxtEh8KBXBhcnRzGAIgAygLMgkuc2ltLlBhcnRSBXBhcnRzIjIKBFBhcnQSFgoGcGVyc29uGAEgASgJUgZwZXJzb24SEgoE\
                cm9sZRgCIAEoCVIEcm9sZSIbCgVQbGFjZRISCgRub3RlGAEgASgJUgRub3RlIhYKBENsaXASDgoCaWQYASABKAlSAmlkYgZwcm90\
                bzM=
                """) ?? Data())

    static let document = TypesDocument(
        declarations: """
            descriptors: sim.desc
            types:
              film:
                message: sim.Film
                id: id
                references: {topics: topic}
                sorts: [rating, {field: released, as: date}, title]
                facets: [topics]
              topic: {message: sim.Topic, id: id}
              cast: {message: sim.Cast, id: film}
              clip: {message: sim.Clip, id: id}
            lists:
              top: {of: [film], place: sim.Place, editions: true}
            collections:
              favorites: {of: [film]}
              progress: {of: [clip], value: uint32}
            """, descriptors: descriptors)

    static let set = reading { try TypeSet(document, file: "simulation") }

    /// A record as the log holds it.
    static func bytes(of type: String, _ fields: [String: JSONValue]) -> [UInt8] {
        reading { try set.type(type)?.coder.record(json: .object(fields)) } ?? []
    }

    /// An entry of the list as the log holds it.
    static func stored(_ entry: ListEntry) -> ListEntry {
        guard case .json(let place)? = entry.place else { return entry }
        var stored = entry
        stored.place = .bytes(reading { try set.list("top")?.place(json: place) } ?? [])
        return stored
    }

    private static func reading<Value>(_ body: () throws -> Value) -> Value {
        do {
            return try body()
        } catch {
            preconditionFailure("the simulation's own types and records can't be read: \(error)")
        }
    }
}

extension Change {
    static func put(_ type: String, _ id: String, _ fields: [String: JSONValue]) -> Change {
        .put(RecordID(type: type, id: id), .json(.object(fields)))
    }

    static func film(
        _ id: Int, title: String, rating: Double? = nil, released: String? = nil, topics: [Int] = []
    ) -> Change {
        var fields: [String: JSONValue] = [
            "id": .text("\(id)"), "title": .text(title), "topics": .list(topics.map { .text("\($0)") }),
        ]
        fields["rating"] = rating.map { .number("\($0)") }
        fields["released"] = released.map { .text($0) }
        return .put("film", "\(id)", fields)
    }

    static func topic(_ id: Int, name: String) -> Change {
        .put("topic", "\(id)", ["id": .text("\(id)"), "name": .text(name)])
    }

    static func cast(of film: Int, _ parts: [(person: Int, role: String)]) -> Change {
        let parts = parts.map { JSONValue.object(["person": .text("\($0.person)"), "role": .text($0.role)]) }
        return .put("cast", "\(film)", ["film": .text("\(film)"), "parts": .list(parts)])
    }
}
