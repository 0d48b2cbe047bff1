internal import CMarqueeProto
internal import MarqueeModel

// The C form of a section's head.

extension Supplement: ProtobufConvertible {
    func write(to wire: inout Proto.Supplement, with packer: Packer) {
        wire.title = packer.text(unlessEmpty: title)
        (wire.n_actions, wire.actions) = packer.messages(actions)
    }

    static func read(_ wire: Proto.Supplement, with unpacker: Unpacker) throws(WireError) -> Supplement {
        Supplement(
            title: unpacker.text(wire.title) ?? "", actions: try unpacker.messages(wire.n_actions, wire.actions))
    }
}

/// A supplement with the kind of the view that shows it.
private struct NamedSupplement: ProtobufConvertible {
    var kind: String
    var supplement: Supplement

    func write(to wire: inout Proto.NamedSupplement, with packer: Packer) {
        wire.kind = packer.text(kind)
        wire.supplement = packer.message(supplement)
    }

    static func read(_ wire: Proto.NamedSupplement, with unpacker: Unpacker) throws(WireError) -> NamedSupplement {
        NamedSupplement(
            kind: unpacker.text(wire.kind) ?? "",
            supplement: try unpacker.message(wire.supplement) ?? Supplement(title: ""))
    }
}

extension Counting: ProtobufConvertible {
    func write(to wire: inout Proto.Counting, with packer: Packer) {
        if let impressions {
            (wire.has_share, wire.share) = packer.number(impressions.share)
            (wire.has_for_ms, wire.for_ms) = packer.number(unlessZero: impressions.duration)
            (wire.has_again_ms, wire.again_ms) = packer.number(unlessZero: impressions.again)
        }
        (wire.has_taps, wire.taps) = packer.flag(taps)
    }

    /// With a share that no item can have, impressions aren't counted.
    static func read(_ wire: Proto.Counting, with unpacker: Unpacker) throws(WireError) -> Counting {
        let share = unpacker.number(wire.has_share, wire.share).flatMap { (1...100).contains($0) ? $0 : nil }
        return Counting(
            impressions: share.map {
                Impressions(
                    share: $0, duration: unpacker.number(wire.has_for_ms, wire.for_ms) ?? 0,
                    again: unpacker.number(wire.has_again_ms, wire.again_ms) ?? 0)
            }, taps: unpacker.flag(wire.has_taps, wire.taps))
    }
}

extension SectionHead: ProtobufConvertible {
    func write(to wire: inout Proto.SectionHead, with packer: Packer) {
        (wire.has_kind, wire.kind) = packer.number(kind.rawValue)
        wire.header = packer.message(header)
        wire.footer = packer.message(footer)
        wire.layout = layout.map(packer.layout)
        (wire.n_sorts, wire.sorts) = packer.messages(sorts)
        wire.sort = packer.text(unlessEmpty: sort)
        (wire.n_windows, wire.windows) = packer.numbers(windows)
        (wire.has_window, wire.window) = packer.number(unlessZero: window)
        (wire.has_total, wire.total) = packer.number(unlessZero: total)
        (wire.has_has_more, wire.has_more) = packer.flag(hasMore)
        if let error {
            wire.error = packer.message(Proto.Status.self) {
                $0.message = packer.text(error)
                $0.reason = packer.text(errorReason)
            }
        }
        wire.collection = packer.text(collection?.name)
        (wire.has_total_capped, wire.total_capped) = packer.flag(isTotalCapped)
        // Equal heads have equal bytes, so the order is fixed.
        (wire.n_supplements, wire.supplements) = packer.messages(
            supplements.sorted { $0.key < $1.key }.map { NamedSupplement(kind: $0.key, supplement: $0.value) })
        (wire.has_anywhere, wire.anywhere) = packer.number(unlessZero: anywhere)
        (wire.has_first, wire.first) = packer.number(unlessZero: first)
        (wire.has_cursor, wire.cursor) = packer.bytes(cursor)
        wire.counting = packer.message(counting)
    }

    /// An invalid layout counts as missing; the section's kind then decides how it is shown.
    static func read(_ wire: Proto.SectionHead, with unpacker: Unpacker) throws(WireError) -> SectionHead {
        var head = SectionHead(kind: SectionKind(rawValue: unpacker.number(wire.has_kind, wire.kind) ?? 0))
        head.header = try unpacker.message(wire.header)
        head.footer = try unpacker.message(wire.footer)
        head.layout = wire.layout.flatMap { unpacker.layout($0.pointee) }
        head.sorts = try unpacker.messages(wire.n_sorts, wire.sorts)
        head.sort = unpacker.text(wire.sort) ?? ""
        head.windows = unpacker.numbers(wire.n_windows, wire.windows)
        head.window = unpacker.number(wire.has_window, wire.window) ?? 0
        head.total = unpacker.number(wire.has_total, wire.total) ?? 0
        head.hasMore = unpacker.flag(wire.has_has_more, wire.has_more)
        head.error = wire.error.map { unpacker.text($0.pointee.message) ?? "" }
        head.errorReason = wire.error.flatMap { unpacker.text($0.pointee.reason) }
        head.isTotalCapped = unpacker.flag(wire.has_total_capped, wire.total_capped)
        head.collection = unpacker.text(wire.collection).map { CollectionName($0) }
        let supplements: [NamedSupplement] = try unpacker.messages(wire.n_supplements, wire.supplements)
        head.supplements = Dictionary(supplements.map { ($0.kind, $0.supplement) }) { first, _ in first }
        head.anywhere = unpacker.number(wire.has_anywhere, wire.anywhere) ?? 0
        head.first = unpacker.number(wire.has_first, wire.first) ?? 0
        head.cursor = wire.has_cursor == 0 ? [] : unpacker.bytes(wire.cursor)
        head.counting = try unpacker.message(wire.counting)
        return head
    }
}
