import MarqueeModel
import MarqueeWire

/// The anchor of a window that can start anywhere in a list, in terms of the list's order.
enum WindowAnchor: Hashable, Sendable {
    case start
    case end
    /// A record of the list; once it is gone, the place that it had.
    case record(id: String, otherwise: RecordKey?)
    /// The first row with this key or after it, otherwise the last row.
    case place(RecordKey)
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
        _ = try anchor(of: place, sort: sorts.first { $0.id == sort }?.order, locales: locales)
        return place
    }

    /// The anchor of a place, in the order that the section has.
    ///
    /// - Parameters:
    ///   - sort: the chosen order; `nil` if the section offers none.
    ///   - locales: in order of preference.
    /// - Throws: `invalidArgument` if the order has no such place.
    func anchor(of place: WindowPlace, sort: RecordSort?, locales: [String]) throws(Status) -> WindowAnchor {
        guard case .records(let query) = source else { throw .unknownAnchor("the section '\(id)' has no order") }
        let order = (query.sort ?? sort)?.shown(in: locales)
        guard [place.item != nil || place.cursor != nil, place.value != nil, place.isEnd].count(where: { $0 }) <= 1
        else {
            throw .unknownAnchor(
                "a window of the section '\(id)' has one anchor: an item, a cursor, a value or the end")
        }
        for text in [place.item, place.value] where text?.utf8.count ?? 0 > Self.anchorBytes {
            throw .unknownAnchor("the anchor of a window has at most \(Self.anchorBytes) bytes")
        }
        if place.isEnd { return .end }
        if let value = place.value {
            guard let key = order?.key(written: value) ?? (order == nil ? RecordKey(key: .same, id: value) : nil) else {
                throw .unknownAnchor(
                    "'\(value.prefix(64))' is not a value of '\(order?.first.field.path.text ?? "")', which decides "
                        + "first about the order of the section '\(id)'")
            }
            return .place(key)
        }
        let cursor = try place.cursor.map { (bytes) throws(Status) -> RecordKey in
            guard let key = RecordKey(cursor: bytes, of: order, type: query.type) else {
                throw .unknownAnchor("the cursor isn't one of the order that the section '\(id)' has")
            }
            return key
        }
        guard let item = place.item else { return cursor.map { .place($0) } ?? .start }
        guard let record = query.id(of: item) else {
            throw .unknownAnchor(
                "'\(item.prefix(64))' is not an item of the section '\(id)', such as \(query.type)/ID")
        }
        return .record(id: record, otherwise: cursor)
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
