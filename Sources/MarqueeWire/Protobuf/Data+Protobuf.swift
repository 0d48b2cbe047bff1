internal import CMarqueeProto
internal import MarqueeDiff
internal import MarqueeModel

// The C forms of items and patches.

extension Item: ProtobufConvertible {
    func write(to wire: inout Proto.Item, with packer: Packer) {
        wire.id = packer.text(id)
        (wire.has_kind, wire.kind) = packer.number(kind.rawValue)
        wire.subject = packer.text(unlessEmpty: subject)
        (wire.has_body, wire.body) = packer.bytes(body)
    }

    static func read(_ wire: Proto.Item, with unpacker: Unpacker) throws(WireError) -> Item {
        Item(
            id: try unpacker.required(wire.id, "item.id"),
            kind: ItemKind(rawValue: try unpacker.required(unpacker.number(wire.has_kind, wire.kind), "item.kind")),
            subject: unpacker.text(wire.subject) ?? "", body: unpacker.bytes(wire.body))
    }
}

extension FieldChange: ProtobufConvertible {
    func write(to wire: inout Proto.FieldChange, with packer: Packer) {
        (wire.has_records, wire.records) = packer.bytes(records)
        (wire.n_cleared, wire.cleared) = packer.numbers(cleared)
        (wire.has_replace, wire.replace) = packer.flag(replace)
    }

    static func read(_ wire: Proto.FieldChange, with unpacker: Unpacker) throws(WireError) -> FieldChange {
        FieldChange(
            records: unpacker.bytes(wire.records), cleared: unpacker.numbers(wire.n_cleared, wire.cleared),
            replace: unpacker.flag(wire.has_replace, wire.replace))
    }
}

extension Part: ProtobufConvertible {
    func write(to wire: inout Proto.Part, with packer: Packer) {
        (wire.has_handle, wire.handle) = packer.number(handle)
        (wire.has_base_sum, wire.base_sum) = packer.number(base)
        (wire.has_target_sum, wire.target_sum) = packer.number(target)
        (wire.has_script, wire.script) = packer.bytes(script)
        (wire.n_adds, wire.adds) = packer.messages(adds)
        (wire.n_updates, wire.updates) = packer.messages(updates)
        wire.head = packer.message(head)
        (wire.has_count, wire.count) = packer.number(count)
        (wire.has_more, wire.more) = packer.flag(more)
        wire.cut = packer.message(cut.isEmpty ? nil : cut)
    }

    static func read(_ wire: Proto.Part, with unpacker: Unpacker) throws(WireError) -> Part {
        let part = Part(
            handle: try unpacker.required(unpacker.number(wire.has_handle, wire.handle), "part.handle"),
            base: unpacker.number(wire.has_base_sum, wire.base_sum),
            target: try unpacker.required(unpacker.number(wire.has_target_sum, wire.target_sum), "part.target_sum"),
            script: unpacker.bytes(wire.script), adds: try unpacker.messages(wire.n_adds, wire.adds),
            updates: try unpacker.messages(wire.n_updates, wire.updates), head: try unpacker.message(wire.head),
            count: try unpacker.required(unpacker.number(wire.has_count, wire.count), "part.count"),
            more: unpacker.flag(wire.has_more, wire.more), cut: try unpacker.message(wire.cut) ?? CutChange())
        try unpacker.check(
            part.count <= unpacker.limits.listItems,
            "part.count is \(part.count); the limit is \(unpacker.limits.listItems)")
        return part
    }
}
