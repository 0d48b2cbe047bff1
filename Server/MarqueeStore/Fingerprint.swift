import MarqueeCatalogue
import MarqueeModel

/// A hash that is the same in every process: FNV-1a, 64 bits.
///
/// For a write, it tells a retried mutation from a different one with the same number; a client that provokes a
/// collision fools only itself. For a table's rows, it shows whether a copy is complete: changing any single byte
/// changes it.
package struct Fingerprint: Hashable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }

    /// Adds bytes and their number, so that moving a byte from one text to the next changes the hash.
    mutating func add(_ bytes: some Collection<UInt8>) {
        for byte in bytes { add(byte) }
        add(UInt64(bytes.count))
    }

    mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { for byte in $0 { add(byte) } }
    }

    /// A hash of texts, for names that must be the same whenever they are derived from the same texts.
    package static func of(texts: [String]) -> UInt64 {
        var hash = Fingerprint()
        for text in texts { hash.add(text.utf8) }
        return hash.value
    }

    /// The fingerprint of a commit's changes.
    static func of(_ changes: [Change]) throws -> UInt64 {
        var hash = Fingerprint()
        for change in changes { try hash.add(change) }
        return hash.value
    }

    /// The fingerprint of a write, without its mutation's number.
    static func of(_ write: StoreWrite) throws -> UInt64 {
        var hash = Fingerprint()
        switch write {
        case .catalogue(let key, let changes, _):
            hash.add(UInt8(ascii: "C"))
            hash.add(UInt8(key == nil ? 0 : 1))
            hash.add((key ?? "").utf8)
            for change in changes { try hash.add(change) }
        case .draft(let edit, _):
            hash.add(UInt8(ascii: "D"))
            hash.add(edit.name.utf8)
            switch edit.action {
            case .add(let changes, let key):
                hash.add(UInt8(ascii: "a"))
                hash.add(UInt8(key == nil ? 0 : 1))
                hash.add((key ?? "").utf8)
                for change in changes { try hash.add(change) }
            // The draft may have another version by the time the client sends this again.
            case .publish(_, let despiteConflicts): hash.add(UInt8(ascii: despiteConflicts ? "P" : "p"))
            case .schedule(_, let moment, let despiteConflicts):
                hash.add(UInt8(ascii: despiteConflicts ? "S" : "s"))
                hash.add(UInt64(bitPattern: moment.milliseconds))
            case .publishDue(let moment), .fail(let moment, _):
                hash.add(UInt8(ascii: "t"))
                hash.add(UInt64(bitPattern: moment.milliseconds))
            case .hold: hash.add(UInt8(ascii: "h"))
            case .drop: hash.add(UInt8(ascii: "d"))
            }
        case .observed(let batch, _):
            hash.add(UInt8(ascii: "O"))
            hash.add(batch.screen.utf8)
            hash.add(batch.section.utf8)
            // The details that the server adds may differ when the client sends the batch again.
            for observation in batch.observations {
                hash.add(UInt64(observation.kind.rawValue))
                hash.add(observation.item.utf8)
                hash.add(observation.action.utf8)
                for number in [UInt64(observation.place), observation.at, UInt64(observation.duration)] {
                    hash.add(number)
                }
                hash.add(observation.revision)
            }
        case .member(let user, let change, _):
            hash.add(UInt8(ascii: "M"))
            hash.add(user.utf8)
            hash.add(change.collection.name.utf8)
            hash.add(change.subject.utf8)
            switch change.effect {
            case .remove: hash.add(UInt8(0))
            case .set(let value):
                hash.add(UInt8(1))
                hash.add(value)
            }
        }
        return hash.value
    }
}

extension Fingerprint {
    /// Adds a change. Equal changes add the same bytes. Changes to records are added without writing them as JSON
    /// first, because there may be many.
    fileprivate mutating func add(_ change: Change) throws {
        switch change {
        case .put(let id, let content):
            add(UInt8(ascii: "p"))
            add(id, content)
        case .merge(let id, let content, let clear, let creates):
            add(creates ? UInt8(ascii: "m") : UInt8(ascii: "u"))
            add(id, content)
            for field in clear { add(field.utf8) }
            add(UInt64(clear.count))
        case .remove(let id):
            add(UInt8(ascii: "r"))
            add(id)
        case .listItem(let edit) where edit.entry?.place == nil:
            add(UInt8(ascii: "e"))
            for text in [edit.list.list, edit.list.edition ?? "", edit.key] { add(text.utf8) }
            add(edit.list.edition == nil ? UInt8(0) : 1)
            add(UInt64(bitPattern: Int64(edit.rank ?? 0)))
            add(edit.entry == nil ? UInt8(0) : edit.entry?.record == nil ? 1 : 2)
            if let record = edit.entry?.record { add(record) }
        case .source(var position):
            // A repeat is the same write, even at another time.
            position.moved = nil
            add(UInt8(ascii: "o"))
            add(ChangeCoding.encode([.source(position)]))
        default:
            add(UInt8(ascii: "o"))
            add(ChangeCoding.encode([change]))
        }
    }

    private mutating func add(_ id: RecordID) {
        add(id.type.utf8)
        add(id.id.utf8)
    }

    private mutating func add(_ id: RecordID, _ content: RecordContent) {
        add(id)
        switch content {
        case .bytes(let bytes):
            add(UInt8(ascii: "b"))
            add(bytes)
        case .json(let value): add(value)
        }
    }

    private mutating func add(_ value: JSONValue) {
        switch value {
        case .null: add(UInt8(ascii: "n"))
        case .bool(let value): add(value ? UInt8(ascii: "t") : UInt8(ascii: "f"))
        case .number(let digits):
            add(UInt8(ascii: "0"))
            add(digits.utf8)
        case .text(let text):
            add(UInt8(ascii: "s"))
            add(text.utf8)
        case .list(let values):
            add(UInt8(ascii: "l"))
            for value in values { add(value) }
            add(UInt64(values.count))
        case .object(let members):
            add(UInt8(ascii: "o"))
            for member in members.sorted(by: { $0.name < $1.name }) {
                add(member.name.utf8)
                add(member.value)
            }
            add(UInt64(members.count))
        }
    }
}
