import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
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
            + "{field: guests, sort: \(RandomQuery.yaml(sort: sort)), limit: \(limit)}], key: role, subject: person, limit: \(total)}}, "
            + "body: {card: {title: $role, subtitle: $person.title, caption: $person.author}}}"
    }
}

extension NaiveRecords {
    /// The people heard in an episode: the hosts, then the first guests in sort order.
    func people(of id: String, _ people: RandomPeople, _ locale: String) -> [Item] {
        let hosts = named(guests("hosts", of: id), in: "hosts", locale)
        let guests = guests("guests", of: id)
        let items = named(guests, in: "guests", locale)
        let sorts = people.sort.components(separatedBy: ", ")
        let order = items.indices.sorted { a, b in
            sorts.lazy.compactMap { isFirst(guests[a], guests[b], by: $0, locale) }.first ?? (a < b)
        }
        return Array((hosts + order.prefix(people.limit).map { items[$0] }).prefix(people.total))
    }

    /// - Returns: `nil` if the field doesn't decide.
    private func isFirst(_ a: [String: String], _ b: [String: String], by sort: String, _ locale: String) -> Bool? {
        let isDescending = sort.hasPrefix("-")
        let field = isDescending ? String(sort.dropFirst()) : sort
        switch (key(of: a, by: field, locale), key(of: b, by: field, locale)) {
        case (nil, nil): return nil
        case (nil, _): return false
        case (_, nil): return true
        case (let x?, let y?): return x == y ? nil : (x < y) != isDescending
        }
    }

    /// The number of people heard in an episode, shown or not.
    func peopleCount(of id: String) -> Int { guests("hosts", of: id).count + guests("guests", of: id).count }

    private func guests(_ field: String, of id: String) -> [[String: String]] {
        value(field, of: RecordID(type: "episode", id: id)) as? [[String: String]] ?? []
    }

    private func key(of guest: [String: String], by sort: String, _ locale: String) -> SortKey? {
        guard sort.hasPrefix("person.") else { return guest[sort].map { key($0, locale) } }
        var show = RecordID(type: "show", id: guest["person"] ?? "")
        var field = sort.dropFirst("person.".count)
        if field.hasPrefix("author.") {
            show = RecordID(type: "show", id: texts("author", of: show, locale).first ?? "")
            field = field.dropFirst("author.".count)
        }
        // Numbers have one digit, so that they sort like texts.
        return has(show.type, show.id) ? texts(String(field), of: show, locale).first.map { key($0, locale) } : nil
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
