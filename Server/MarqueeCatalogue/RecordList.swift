import MarqueeModel

/// Names a list, and its edition where it has editions.
package struct ListName: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of a declared list, alone or followed by a slash and any text: `standings`, `standings/premier`.
    package var list: String
    /// Such as a day or an hour; `nil` for a list without editions.
    package var edition: String?

    package init(_ list: String, edition: String? = nil) {
        self.list = list
        self.edition = edition
    }

    /// The name under which the types declare it.
    package var declared: String { String(list.prefix { $0 != "/" }) }

    /// For messages.
    package var description: String { edition.map { "\(list), \($0)" } ?? list }
}

/// An ordered list of entries. The order is the rank.
package struct RecordList: Hashable, Sendable {
    package var name: ListName
    /// Their keys are unique within the list.
    package var entries: [ListEntry]

    package init(_ name: ListName, entries: [ListEntry]) {
        self.name = name
        self.entries = entries
    }
}

/// One place of a list: the record that stands there, and what belongs to the place itself.
package struct ListEntry: Hashable, Sendable {
    /// Unique within its list; the record's subject if a change gives no other key.
    package var key: String
    /// `nil` for an entry that is nothing but its place.
    package var record: RecordID?
    /// A message of the type that the list declares; the store and its log hold canonical bytes.
    package var place: RecordContent?

    package init(key: String, record: RecordID? = nil, place: RecordContent? = nil) {
        self.key = key
        self.record = record
        self.place = place
    }

    /// An entry that is known by its record.
    package init(_ record: RecordID, place: RecordContent? = nil) {
        self.init(key: record.subject.name, record: record, place: place)
    }

    /// The canonical bytes of its place, which entries from a store have.
    package var placeBytes: [UInt8]? { if case .bytes(let bytes)? = place { bytes } else { nil } }
}

/// A change to one entry of a list.
package struct EntryEdit: Hashable, Sendable {
    package var list: ListName
    package var key: String
    /// `nil` removes it. An existing entry keeps what this one leaves out.
    package var entry: ListEntry?
    /// Its new rank, from 1; a rank beyond the end means last. `nil`: an existing entry stays where it is, a new one
    /// goes last.
    package var rank: Int?

    /// Adds, changes or moves an entry.
    package init(_ list: ListName, putting entry: ListEntry, at rank: Int? = nil) {
        self.list = list
        key = entry.key
        self.entry = entry
        self.rank = rank
    }

    package init(_ list: ListName, removing key: String) {
        self.list = list
        self.key = key
    }
}

extension RecordList {
    /// Applies an edit of this list, in time proportional to its length.
    package mutating func apply(_ edit: EntryEdit) {
        let place = entries.firstIndex { $0.key == edit.key }
        guard let entry = edit.entry else {
            if let place { entries.remove(at: place) }
            return
        }
        if let place {
            guard let rank = edit.rank else {
                entries[place] = entry
                return
            }
            entries.remove(at: place)
            entries.insert(entry, at: min(rank - 1, entries.count))
        } else {
            entries.insert(entry, at: min((edit.rank ?? Int.max) - 1, entries.count))
        }
    }
}

// MARK: - JSON

/// `{"list": "standings", "edition": "2026-05-01", "entries": [{"record": "team/ars", "place": {"points": 3}}]}`
extension RecordList: Codable {
    private enum CodingKeys: String, CodingKey { case list, edition, entries }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = ListName(
            try container.decode(String.self, forKey: .list),
            edition: try container.decodeIfPresent(String.self, forKey: .edition))
        entries = try container.decode([ListEntry].self, forKey: .entries)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name.list, forKey: .list)
        try container.encodeIfPresent(name.edition, forKey: .edition)
        try container.encode(entries, forKey: .entries)
    }
}

/// `{"key": "ars", "record": "team/ars", "place": {…}}`, or with `bytes`, in base64, in place of `place`.
extension ListEntry: Codable {
    private enum CodingKeys: String, CodingKey { case key, record, place, bytes }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let subject = try container.decodeIfPresent(String.self, forKey: .record) {
            guard let named = Subject(subject).record else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath + [CodingKeys.record],
                        debugDescription: "a record is named by its type and id, such as team/ars"))
            }
            record = named
        }
        guard let key = try container.decodeIfPresent(String.self, forKey: .key) ?? record?.subject.name else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: "an entry without a 'record' needs a 'key'"))
        }
        self.key = key
        let json = try container.decodeIfPresent(JSONValue.self, forKey: .place)
        let bytes = try container.decodeIfPresent(Base64.self, forKey: .bytes)
        switch (json, bytes) {
        case (nil, nil): break
        case (let json?, nil): place = .json(json)
        case (nil, let bytes?): place = .bytes(bytes.bytes)
        default:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "what belongs to a place is either 'place', in JSON, or 'bytes', in base64"))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if key != record?.subject.name { try container.encode(key, forKey: .key) }
        try container.encodeIfPresent(record?.subject.name, forKey: .record)
        switch place {
        case .json(let value)?: try container.encode(value, forKey: .place)
        case .bytes(let bytes)?: try container.encode(Base64(bytes), forKey: .bytes)
        case nil: break
        }
    }
}

/// `{"list": "standings", "item": {…}, "at": 3}` or `{"list": "standings", "remove": "team/ars"}`
extension EntryEdit: Codable {
    private enum CodingKeys: String, CodingKey { case list, edition, item, at, remove }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        list = ListName(
            try container.decode(String.self, forKey: .list),
            edition: try container.decodeIfPresent(String.self, forKey: .edition))
        entry = try container.decodeIfPresent(ListEntry.self, forKey: .item)
        rank = try container.decodeIfPresent(Int.self, forKey: .at)
        let removed = try container.decodeIfPresent(String.self, forKey: .remove)
        switch (entry, removed) {
        case (let entry?, nil): key = entry.key
        case (nil, let removed?) where rank == nil: key = removed
        default:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "an item of a list is either put, by 'item' and perhaps 'at', or removed, by 'remove' "
                        + "and its key"))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(list.list, forKey: .list)
        try container.encodeIfPresent(list.edition, forKey: .edition)
        try container.encodeIfPresent(entry, forKey: .item)
        try container.encodeIfPresent(rank, forKey: .at)
        if entry == nil { try container.encode(key, forKey: .remove) }
    }
}
