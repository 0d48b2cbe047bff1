import MarqueeCatalogue
import MarqueeModel
import MarqueeWire

@testable import MarqueeScreens

/// A section of the messages of two lists, in the random tests.
struct RandomPeople {
    /// The sort of the second list.
    var sort: String
    /// Maximum messages of the second list.
    var limit: Int
    /// Maximum messages of both lists.
    var total: Int

    var yaml: String {
        "- {id: people, kind: list, windows: [3, 10], source: {nested: {type: episode, id: $id, fields: [hosts, "
            + "{field: guests, sort: \(sort), limit: \(limit)}], key: role, subject: person, limit: \(total)}}, "
            + "body: {card: {title: $role, subtitle: $person.title, caption: $person.author}}}"
    }
}

extension NaiveRecords {
    /// The people heard in an episode: the hosts, then the first guests in sort order.
    func people(of id: String, _ people: RandomPeople, _ locale: String) -> [Item] {
        let hosts = named(guests("hosts", of: id), in: "hosts", locale)
        let guests = guests("guests", of: id)
        let items = named(guests, in: "guests", locale)
        let isDescending = people.sort.hasPrefix("-")
        let keys = guests.map { key(of: $0, by: isDescending ? String(people.sort.dropFirst()) : people.sort, locale) }
        let order = items.indices.sorted { a, b in
            switch (keys[a], keys[b]) {
            case (nil, nil): a < b
            case (nil, _): false
            case (_, nil): true
            case (let x?, let y?): x == y ? a < b : (x < y) != isDescending
            }
        }
        return Array((hosts + order.prefix(people.limit).map { items[$0] }).prefix(people.total))
    }

    /// The number of people heard in an episode, shown or not.
    func peopleCount(of id: String) -> Int { guests("hosts", of: id).count + guests("guests", of: id).count }

    private func guests(_ field: String, of id: String) -> [[String: String]] {
        value(field, of: RecordID(type: "episode", id: id)) as? [[String: String]] ?? []
    }

    private func key(of guest: [String: String], by sort: String, _ locale: String) -> String? {
        guard sort.hasPrefix("person.") else { return guest[sort]?.lowercased() }
        let show = RecordID(type: "show", id: guest["person"] ?? "")
        // Numbers have one digit, so that they sort like texts.
        return has(show.type, show.id) ? texts(String(sort.dropFirst(7)), of: show, locale).first?.lowercased() : nil
    }

    private func named(_ guests: [[String: String]], in field: String, _ locale: String) -> [Item] {
        var used: [String: Int] = [:]
        return guests.enumerated().map { place, guest in
            let name = guest["role"] ?? "\(place)"
            used[name, default: 0] += 1
            let number = used[name] ?? 1
            let show = guest["person"].map { RecordID(type: "show", id: $0) }
            var card = CardContent(title: name)
            card.subtitle = show.flatMap { texts("title", of: $0, locale).first }
            card.caption = show.flatMap { texts("author", of: $0, locale).first }
            return Bodies.item(
                id: "\(field)/\(name)" + (number == 1 ? "" : "/\(number)"), subject: show?.subject.name ?? "",
                .card(card))
        }
    }
}
