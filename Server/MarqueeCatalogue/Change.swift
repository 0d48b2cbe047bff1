import MarqueeModel

/// One change to the catalogue. A commit is a list of them.
///
/// Its JSON form is an object with one key, the change's name, which is also what `publish` and the stores' logs
/// contain: `{"remove": {"type": "episode", "id": "e1"}}`. Removing what isn't there changes nothing.
package enum Change: Hashable, Sendable {
    /// Chooses the entry, by its key, shown by a section whose pool is a list.
    case chooseEntry(pool: String, entry: String)
    /// Chooses the record shown by a section with a pool of records.
    case chooseRecord(pool: String, record: RecordID)
    /// Clears the choice for a pool.
    case removeChoice(pool: String)
    /// Stores a list of sections, each with its list.
    case page(Page)
    case removePage(String)
    /// Replaces the programme with the text of a programme file.
    case programme(String)
    /// Replaces the types of records.
    case types(TypesDocument)
    /// Puts a record, whole.
    case put(RecordID, RecordContent)
    /// Changes the fields of a record that are present in `content`, and removes those named by `clear`; the rest
    /// stays. If the record isn't there it is created, or the change is refused unless it `creates`.
    case merge(RecordID, RecordContent, clear: [String], creates: Bool = true)
    case remove(RecordID)
    /// Stores a list, or an edition of one, whole. Storing an edition doesn't show it.
    case list(RecordList)
    /// Puts, changes, moves or removes one entry of a list.
    case listItem(EntryEdit)
    /// Selects the edition of a list that is in force.
    case show(list: String, edition: String)
    /// Removes an edition of a list or, if none is named, the list with all its editions.
    case removeList(ListName)
}

extension Change: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case put, merge, remove, list, listItem, show, removeList, choose, removeChoice, page, removePage
        case types, programme
    }
    private struct Chosen: Codable {
        var pool: String
        /// The key of a list's entry.
        var entry: String?
        var record: String?
    }
    private struct ShownEdition: Codable {
        var list: String
        var edition: String
    }
    private struct Named: Codable { var id: String }
    private struct OfPool: Codable { var pool: String }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.allKeys.count == 1, let key = container.allKeys.first else {
            let known = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a change is an object with exactly one of these keys: \(known)"))
        }
        switch key {
        case .choose:
            let chosen = try container.decode(Chosen.self, forKey: key)
            switch (chosen.entry, chosen.record.map { Subject($0).record }) {
            case (let entry?, nil): self = .chooseEntry(pool: chosen.pool, entry: entry)
            case (nil, let record??): self = .chooseRecord(pool: chosen.pool, record: record)
            default:
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath + [key],
                        debugDescription:
                            "a choice is either an 'entry', by its key, or a 'record' by its type and id, such as "
                            + "episode/e1"))
            }
        case .removeChoice: self = .removeChoice(pool: try container.decode(OfPool.self, forKey: key).pool)
        case .page: self = .page(try container.decode(Page.self, forKey: key))
        case .removePage: self = .removePage(try container.decode(Named.self, forKey: key).id)
        case .programme: self = .programme(try container.decode(String.self, forKey: key))
        case .types: self = .types(try container.decode(TypesDocument.self, forKey: key))
        case .put:
            let document = try container.decode(RecordDocument.self, forKey: key)
            if let field = document.clear != nil ? "clear" : document.create != nil ? "create" : nil {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath + [key],
                        debugDescription: "'put' replaces a record whole; '\(field)' is a field of 'merge'"))
            }
            self = .put(document.name, try document.content(at: decoder.codingPath + [key]))
        case .merge:
            let document = try container.decode(RecordDocument.self, forKey: key)
            let content: RecordContent =
                document.record == nil && document.bytes == nil
                ? .bytes([]) : try document.content(at: decoder.codingPath + [key])
            self = .merge(
                document.name, content, clear: document.clear ?? [], creates: document.create ?? true)
        case .remove: self = .remove(try container.decode(RecordID.self, forKey: key))
        case .list: self = .list(try container.decode(RecordList.self, forKey: key))
        case .listItem: self = .listItem(try container.decode(EntryEdit.self, forKey: key))
        case .show:
            let shown = try container.decode(ShownEdition.self, forKey: key)
            self = .show(list: shown.list, edition: shown.edition)
        case .removeList: self = .removeList(try container.decode(ListName.self, forKey: key))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .chooseEntry(let pool, let entry): try container.encode(Chosen(pool: pool, entry: entry), forKey: .choose)
        case .chooseRecord(let pool, let record):
            try container.encode(Chosen(pool: pool, record: record.subject.name), forKey: .choose)
        case .removeChoice(let pool): try container.encode(OfPool(pool: pool), forKey: .removeChoice)
        case .page(let page): try container.encode(page, forKey: .page)
        case .removePage(let id): try container.encode(Named(id: id), forKey: .removePage)
        case .programme(let text): try container.encode(text, forKey: .programme)
        case .types(let types): try container.encode(types, forKey: .types)
        case .put(let id, let content): try container.encode(RecordDocument(id, content), forKey: .put)
        case .merge(let id, let content, let clear, let creates):
            try container.encode(
                RecordDocument(id, content, clear: clear, create: creates ? nil : false), forKey: .merge)
        case .remove(let id): try container.encode(id, forKey: .remove)
        case .list(let list): try container.encode(list, forKey: .list)
        case .listItem(let edit): try container.encode(edit, forKey: .listItem)
        case .show(let list, let edition):
            try container.encode(ShownEdition(list: list, edition: edition), forKey: .show)
        case .removeList(let name): try container.encode(name, forKey: .removeList)
        }
    }
}

/// Names a piece of the catalogue that a commit touched.
package enum CatalogueKey: Hashable, Sendable {
    case pool(String)
    case page(String)
    case programme
    case types
    /// A record of one of the operator's types.
    case typed(RecordID)
    /// A list with its editions.
    case list(String)
}

extension Change {
    /// The piece of the catalogue that the change touches.
    package var key: CatalogueKey {
        switch self {
        case .chooseEntry(let pool, _), .chooseRecord(let pool, _), .removeChoice(let pool): .pool(pool)
        case .page(let page): .page(page.id)
        case .removePage(let id): .page(id)
        case .programme: .programme
        case .types: .types
        case .put(let id, _), .merge(let id, _, _, _), .remove(let id): .typed(id)
        case .list(let list): .list(list.name.list)
        case .listItem(let edit): .list(edit.list.list)
        case .show(let list, _): .list(list)
        case .removeList(let name): .list(name.list)
        }
    }
}
