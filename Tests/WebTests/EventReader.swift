import Foundation
import Testing

/// A client of server-sent events that knows nothing but the page on them: it keeps a screen by what it is sent.
final class EventReader: Sendable {
    struct Event {
        var id: String?
        var name: String
        var data: [String: Any]
    }

    let socket: WebSocketBytes
    let head: WebReply

    /// - Parameter id: the id of the last event that an earlier reader received.
    init(port: Int, screen: String = "home", after id: String? = nil, fields: [String] = []) async throws {
        socket = try await WebSocketBytes(port: port)
        var request = ["GET /v1/screens/\(screen) HTTP/1.1", "Host: 127.0.0.1", "Accept: text/event-stream"] + fields
        if let id { request.append("Last-Event-ID: \(id)") }
        try await socket.send(request.joined(separator: "\r\n") + "\r\n\r\n")
        head = try await socket.reply()
    }

    /// The next event that has data.
    func next() async throws -> Event {
        while true {
            var event = Event(id: nil, name: "message", data: [:])
            for line in try await socket.chunk().split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
                switch parts[0] {
                case "id": event.id = value
                case "event": event.name = value
                case "data":
                    let object = try JSONSerialization.jsonObject(with: Data(value.utf8))
                    event.data = try #require(object as? [String: Any])
                default: break
                }
            }
            if !event.data.isEmpty { return event }
        }
    }
}

/// A screen as JSON, kept by events.
struct FollowedJSON {
    typealias Object = [String: Any]

    private(set) var sections: [Object] = []
    private(set) var sum = ""
    private(set) var revision = 0
    private(set) var id: String?

    init(sections: [Object] = []) { self.sections = sections }

    mutating func take(_ event: EventReader.Event) throws {
        id = event.id
        sum = try #require(event.data["sum"] as? String)
        revision = try #require(event.data["revision"] as? Int)
        if event.name == "screen" {
            sections = try #require(event.data["sections"] as? [Object])
        } else {
            try #require(event.name == "update")
            try apply(try #require(event.data["operations"] as? [Object]))
        }
    }

    /// As the page says: what is deleted or moved is removed by id, then what is inserted or moved is put at its place.
    mutating func apply(_ operations: [Object]) throws {
        let onSections = operations.filter { ($0["op"] as? String)?.hasPrefix("section-") == true }
        sections = try Self.changed(sections, by: onSections, id: "section", content: "content", prefix: "section-")
        for operation in onSections where operation["op"] as? String == "section-update" {
            let place = try #require(operation["to"] as? Int)
            var section = try #require(operation["head"] as? Object)
            section["items"] = sections[place]["items"]
            sections[place] = section
        }
        for place in sections.indices {
            let own = operations.filter { operation in
                operation["section"] as? String == sections[place]["id"] as? String
                    && !onSections.contains { NSDictionary(dictionary: $0) == NSDictionary(dictionary: operation) }
            }
            let items = sections[place]["items"] as? [Object] ?? []
            var changed = try Self.changed(items, by: own, id: "id", content: "item", prefix: "")
            for operation in own where operation["op"] as? String == "update" {
                changed[try #require(operation["to"] as? Int)] = try #require(operation["item"] as? Object)
            }
            sections[place]["items"] = changed
        }
    }

    private static func changed(
        _ list: [Object], by operations: [Object], id: String, content: String, prefix: String
    ) throws -> [Object] {
        var list = list
        var moved: [String: Object] = [:]
        for operation in operations {
            guard let name = operation["op"] as? String, ["delete", "move"].contains(name.dropFirst(prefix.count))
            else { continue }
            let key = try #require(operation[id] as? String)
            let place = try #require(list.firstIndex { $0["id"] as? String == key })
            moved[key] = list.remove(at: place)
        }
        for operation in operations {
            guard let name = operation["op"] as? String, ["insert", "move"].contains(name.dropFirst(prefix.count))
            else { continue }
            let key = try #require(operation[id] as? String)
            let item = operation[content] as? Object ?? moved[key]
            let place = try #require(operation["to"] as? Int)
            try #require(place <= list.count)
            list.insert(try #require(item), at: place)
        }
        return list
    }

    /// The ids and contents of everything, without what only a whole screen says.
    static func plain(_ sections: [Object]) -> NSArray {
        NSArray(
            array: sections.map { section in
                var section = section
                section["sum"] = nil
                return NSDictionary(dictionary: section)
            })
    }
}
