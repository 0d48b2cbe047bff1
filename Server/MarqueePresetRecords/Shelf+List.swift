package import MarqueeCatalogue
package import MarqueeModel
import MarqueePresets

extension Shelf {
    /// The changes that store its items as records, and then the list of them.
    package var changes: [Change] {
        let places = items.map { $0.place(on: id) }
        return places.flatMap(\.puts)
            + [.list(RecordList(ListName(PresetCatalogue.shelf(id)), entries: places.map(\.entry)))]
    }
}

extension ShelfItem {
    /// The changes that replace it on a shelf, or add it at the end.
    package func changes(on shelf: String) -> [Change] {
        let place = place(on: shelf)
        return place.puts + [.listItem(EntryEdit(ListName(PresetCatalogue.shelf(shelf)), putting: place.entry))]
    }

    /// The record that it shows: a movie, or one of its own.
    ///
    /// - Parameter shelf: the beginning of the record's id; the item's id follows.
    package func record(on shelf: String) -> (id: RecordID, content: JSONValue?) {
        func own(_ type: String, _ fields: Fields) -> (id: RecordID, content: JSONValue?) {
            (RecordID(type: type, id: "\(shelf)/\(id)"), fields.json)
        }
        var fields = Fields()
        switch content {
        case .movie(let movie): return (.movie(movie), nil)
        case .banner(let banner):
            // Sent even if it is empty.
            fields.add("title", banner.title)
            fields.add("caption", banner.caption)
            fields.add("description", banner.description)
            fields.add("image", banner.image, role: "image")
            fields.add("link", banner.link)
            fields.add("actions", banner.actions.map(\.json))
            return own("banner", fields)
        case .text(let text):
            fields.add("text", text.text)
            fields.add("highlighted", text.highlighted)
            fields.add("action", text.action?.json)
            return own("text", fields)
        case .course(let course):
            fields.add("title", course.title)
            fields.add("author", course.author)
            fields.add("rating", course.rating)
            fields.add("reviews", course.reviews)
            fields.add("price", course.price)
            fields.add("currency", course.currency)
            fields.add("tag", course.tag)
            fields.add("image", course.image, role: "image")
            return own("course", fields)
        case .categories(let titles):
            fields.add("titles", titles.map { .text($0) })
            return own("categories", fields)
        case .place(let place):
            fields.add("title", place.title)
            fields.add("distance", place.distance)
            fields.add("image", place.image, role: "image")
            return own("spot", fields)
        case .other(let type, let value):
            fields.add("type", type)
            fields.add("value", value)
            return own("other", fields)
        }
    }

    /// The changes that store its record, if it has one of its own, and its entry in the list.
    fileprivate func place(on shelf: String) -> (puts: [Change], entry: ListEntry) {
        let (record, content) = record(on: shelf)
        return (content.map { [.put(record, .json($0))] } ?? [], ListEntry(key: id, record: record))
    }
}

extension ScreenAction {
    fileprivate var json: JSONValue {
        var fields = Fields()
        fields.add("id", id)
        fields.add("title", title.isEmpty ? nil : title)
        fields.add("target", target.isEmpty ? nil : target)
        return fields.json
    }
}
