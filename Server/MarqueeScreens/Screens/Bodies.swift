import MarqueeModel
import MarqueePresets
import MarqueeWire

/// Encodes items and heads. The only place in this module that uses the codecs.
enum Bodies {
    static func item(id: String, subject: String, _ content: ItemContent) -> Item {
        Item(id: id, kind: content.kind, subject: subject, body: BodyCodec.encode(content))
    }

    static func item(id: String, subject: String, _ content: PresetContent) -> Item {
        Item(id: id, kind: content.kind, subject: subject, body: content.encoded())
    }

    /// An item carried as received from its feed.
    static func item(id: String, subject: String, otherType type: String, value: String) -> Item {
        Item(id: id, kind: .other, subject: subject, body: BodyCodec.encodeOther(type: type, value: value))
    }

    /// An item of a view's own list.
    static func item(ofSection id: String, isPrivate: Bool, placeholders: UInt32) -> Item {
        let reference = SectionReference(isPrivate: isPrivate, placeholders: placeholders)
        return Item(id: id, kind: .section, body: BodyCodec.encode(reference))
    }

    static func viewHead(title: String, needsUser: [String]) -> [UInt8] {
        BodyCodec.encode(ViewHead(title: title, needsUser: needsUser))
    }

    static func sectionHead(_ head: SectionHead) -> [UInt8] { BodyCodec.encode(head) }
}
