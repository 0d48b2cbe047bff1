import MarqueeModel
import MarqueeWire

/// The anchor of a window that can start anywhere in a list, in terms of the list's order.
enum WindowAnchor<Key: Hashable & Sendable>: Hashable, Sendable {
    case start
    case end
    /// A row of the list; once it is gone, the place that it had.
    case row(id: String, otherwise: Key?)
    /// The first row at this place or after it, otherwise the last row.
    case place(Key)

    /// The row that it goes along with, if any.
    var row: String? { if case .row(let id, _) = self { id } else { nil } }

    /// Its place, if it isn't an end or only a row.
    var key: Key? {
        switch self {
        case .start, .end: nil
        case .row(_, let otherwise): otherwise
        case .place(let key): key
        }
    }

    /// Whether it stands for no row any more once its row is gone.
    var isOnlyRow: Bool { if case .row(_, nil) = self { true } else { false } }

    /// The rank of the row that it stands for; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - total: rows of the whole list.
    ///   - row: the rank of a row; `nil` if the list doesn't have it.
    ///   - place: the number of rows before a place.
    func rank(among total: Int, row: (String) -> Int?, place: (Key) -> Int) -> Int? {
        if total <= 0 { return nil }
        let sought: Key
        switch self {
        case .start: return 0
        case .end: return total - 1
        case .place(let key): sought = key
        case .row(let id, let otherwise):
            if let rank = row(id) { return rank }
            guard let otherwise else { return nil }
            sought = otherwise
        }
        return min(place(sought), total - 1)
    }
}

extension WindowPlace {
    /// The ranks of the window's rows.
    ///
    /// - Parameters:
    ///   - rank: that of the row that the anchor stands for.
    ///   - total: rows of the whole list.
    func rows(around rank: Int, of total: Int) -> Range<Int> {
        max(0, rank - Int(before))..<min(total, rank + Int(after) + 1)
    }
}

extension Programme.Section {
    /// The rows of a window if the request names no number, unless the section allows fewer.
    private static let usualRows: UInt32 = 50
    /// The most bytes of an item's id or of a value, which variants keep.
    private static let anchorBytes = 1_024

    /// The place to show for a request; `nil` for a section whose windows can't start anywhere.
    ///
    /// - Parameters:
    ///   - sort: the sort that is shown.
    ///   - locales: locales in order of preference.
    /// - Throws: `invalidArgument` for a place that the section can't have.
    func place(
        for requested: SectionParameters?, sort: String, locales: [String]
    ) throws(Status) -> WindowPlace? {
        guard let anywhere else {
            guard requested?.place == nil else {
                throw .unknownWindow(
                    "the windows of the section '\(id)' can't be anywhere: they begin at its first item")
            }
            return nil
        }
        let window = requested?.window ?? 0
        guard var place = requested?.place else {
            let rows = min(window == 0 ? Self.usualRows : window, anywhere)
            return WindowPlace(after: rows - 1)
        }
        guard window == 0 else {
            throw .unknownWindow(
                "a window of the section '\(id)' has either a number of items or rows around an anchor")
        }
        // There are no rows beyond the ends, so such numbers make no difference.
        if place.isEnd { place.after = 0 }
        if !place.hasAnchor { place.before = 0 }
        guard place.rows <= UInt64(anywhere) else {
            throw .unknownWindow(
                "a window of the section '\(id)' has at most \(anywhere) rows; \(place.before) before the anchor, the "
                    + "anchor and \(place.after) after it are \(place.rows)")
        }
        try checkAnchor(of: place, sort: sorts.first { $0.id == sort }?.order, locales: locales)
        return place
    }

    /// - Parameters:
    ///   - sort: the chosen order; `nil` if the section offers none.
    ///   - locales: in order of preference.
    /// - Throws: `invalidArgument` if the section's order has no such place.
    func checkAnchor(of place: WindowPlace, sort: RecordSort?, locales: [String]) throws(Status) {
        switch source {
        case .records(let query): _ = try anchor(of: place, in: query, sort: sort, locales: locales)
        case .list: _ = try entryAnchor(of: place)
        case .collection: _ = try memberAnchor(of: place)
        default: throw .unknownAnchor("the section '\(id)' has no order")
        }
    }

    /// The anchor of a place, in the order that the section has.
    ///
    /// - Parameters:
    ///   - query: the section's source.
    ///   - sort: the chosen order; `nil` if the section offers none.
    ///   - locales: in order of preference.
    /// - Throws: `invalidArgument` if the order has no such place.
    func anchor(
        of place: WindowPlace, in query: Programme.RecordQuery, sort: RecordSort?, locales: [String]
    ) throws(Status) -> WindowAnchor<RecordKey> {
        let order = (query.sort ?? sort)?.shown(in: locales)
        return try anchor(
            of: place,
            value: { (value) throws(Status) -> RecordKey in
                let written = order?.key(written: value) ?? (order == nil ? RecordKey(key: .same, id: value) : nil)
                guard let written else {
                    throw .unknownAnchor(
                        "'\(value.prefix(64))' is not a value of '\(order?.first.field.path.text ?? "")', which "
                            + "decides first about the order of the section '\(id)'")
                }
                return written
            },
            cursor: { RecordKey(cursor: $0, of: order, type: query.type) },
            row: { (item) throws(Status) -> String in
                guard let record = query.id(of: item) else {
                    throw .unknownAnchor(
                        "'\(item.prefix(64))' is not an item of the section '\(id)', such as \(query.type)/ID")
                }
                return record
            })
    }

    /// The anchor of a place in the list that the section shows. Its values are places in the list, from 1.
    ///
    /// - Throws: `invalidArgument` if the list can't have such a place.
    func entryAnchor(of place: WindowPlace) throws(Status) -> WindowAnchor<EntryPlace> {
        try anchor(
            of: place,
            value: { (value) throws(Status) -> EntryPlace in
                guard let rank = EntryPlace(written: value) else {
                    throw .unknownAnchor(
                        "'\(value.prefix(64))' is not a place in the list of the section '\(id)', which counts from 1")
                }
                return rank
            }, cursor: { EntryPlace(cursor: $0) }, row: { $0 })
    }

    /// The anchor of a place in the user's collection that the section shows.
    ///
    /// - Throws: `invalidArgument` if the collection can't have such a place.
    func memberAnchor(of place: WindowPlace) throws(Status) -> WindowAnchor<MemberKey> {
        try anchor(
            of: place,
            value: { (_) throws(Status) -> MemberKey in
                throw .unknownAnchor("the members that the section '\(id)' shows have no value that decides first")
            }, cursor: { MemberKey(cursor: $0) }, row: { $0 })
    }

    private func anchor<Key: Hashable & Sendable>(
        of place: WindowPlace, value: (String) throws(Status) -> Key, cursor: ([UInt8]) -> Key?,
        row: (String) throws(Status) -> String
    ) throws(Status) -> WindowAnchor<Key> {
        guard [place.item != nil || place.cursor != nil, place.value != nil, place.isEnd].count(where: { $0 }) <= 1
        else {
            throw .unknownAnchor(
                "a window of the section '\(id)' has one anchor: an item, a cursor, a value or the end")
        }
        for text in [place.item, place.value] where text?.utf8.count ?? 0 > Self.anchorBytes {
            throw .unknownAnchor("the anchor of a window has at most \(Self.anchorBytes) bytes")
        }
        if place.isEnd { return .end }
        if let text = place.value { return .place(try value(text)) }
        var otherwise: Key?
        if let bytes = place.cursor {
            otherwise = cursor(bytes)
            if otherwise == nil {
                throw .unknownAnchor("the cursor isn't one of the order that the section '\(id)' has")
            }
        }
        if let item = place.item { return .row(id: try row(item), otherwise: otherwise) }
        return otherwise.map { .place($0) } ?? .start
    }
}

extension WindowPlace {
    fileprivate var hasAnchor: Bool { item != nil || cursor != nil || value != nil || isEnd }
}

extension Status {
    fileprivate static func unknownWindow(_ message: String) -> Status {
        Status(.invalidArgument, reason: "UNKNOWN_WINDOW", remedy: .fatal, message: message)
    }

    fileprivate static func unknownAnchor(_ message: String) -> Status {
        Status(.invalidArgument, reason: "UNKNOWN_ANCHOR", remedy: .fatal, message: message)
    }
}
