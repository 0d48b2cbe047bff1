import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire

extension CollectionsOverlay {
    /// The confirmed members, with the changes waiting in a mirror's outbox laid over them, and the refused changes.
    init(confirmed sections: [String: Version], waitingIn mirror: any MirrorEngine) throws(MirrorError) {
        self.init()
        confirm(Self.confirmed(in: sections))
        replacePending(try CollectionsOverlay.pending(in: mirror))
        remember(try mirror.rejections())
    }

    /// Returns the members in the sections of `ScreenID.collectionSet`, by collection.
    static func confirmed(in sections: [String: Version]) -> [CollectionName: Confirmed] {
        var all: [CollectionName: Confirmed] = [:]
        for (id, section) in sections {
            // The section's name in mirrors that knew only favorites.
            let isOlder = id == "set" && sections[CollectionName.favorites.name] == nil
            let name = isOlder ? CollectionName.favorites : CollectionName(id)
            // Items of kinds unknown here are kept but have no effect.
            for item in section.items where item.kind == .member {
                all[name, default: Confirmed()].subjects.append(item.subject)
                guard item.hasMore, let value = BodyCodec.decodeMember(item.body)?.value
                else { continue }
                all[name]?.values[item.subject] = value
            }
        }
        return all
    }

    /// Returns the changes waiting in a mirror's outbox, by collection.
    static func pending(in mirror: any MirrorEngine) throws(MirrorError) -> [CollectionName: [CollectionOverlay
        .Pending]]
    {
        var pending: [CollectionName: [CollectionOverlay.Pending]] = [:]
        for entry in try mirror.outbox() {
            pending[entry.collection, default: []].append(try CollectionOverlay.Pending(entry, in: mirror))
        }
        return pending
    }
}

extension Item {
    /// Whether its body holds more than the one number of a member without a value. Most don't, and need no decoding.
    fileprivate var hasMore: Bool {
        let number = body.dropFirst().drop { $0 >= 0x80 }
        return number.count != 1
    }
}

extension CollectionOverlay.Pending {
    /// Creates the pending change of an outbox row, with the best stored item for its subject.
    init(_ entry: OutboxEntry, in mirror: any MirrorEngine) throws(MirrorError) {
        let best = entry.on ? try mirror.bestBody(of: entry.subject) : nil
        self.init(
            number: entry.number, subject: entry.subject, on: entry.on, value: entry.value,
            isFrozen: entry.state != .pending,
            placeholder: best.map { Item(id: entry.subject, kind: $0.kind, subject: entry.subject, body: $0.body) })
    }
}
