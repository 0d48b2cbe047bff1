import MarqueeModel

/// Names a list, and its edition where it has editions.
package struct ListName: Hashable, Sendable, CustomStringConvertible {
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

/// One place in a list: the record in it, and the content of the place itself.
package struct ListEntry: Hashable, Sendable {
    /// Unique within its list; the record's subject if a change gives no other key.
    package var key: String
    /// `nil` for an entry that has only a place.
    package var record: RecordID?
    /// A message of the type that the list declares; the store and its log hold canonical bytes.
    package var place: RecordContent?

    package init(key: String, record: RecordID? = nil, place: RecordContent? = nil) {
        self.key = key
        self.record = record
        self.place = place
    }

    /// An entry keyed by its record.
    package init(_ record: RecordID, place: RecordContent? = nil) {
        self.init(key: record.subject.name, record: record, place: place)
    }

    /// The canonical bytes of its place; `nil` if it has no place, or one that is still JSON.
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
