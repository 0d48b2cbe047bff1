/// Compares the messages of two descriptor sets by field number, to find out whether every stored value keeps its
/// meaning.
struct MessageComparison {
    let before: DescriptorSet
    let after: DescriptorSet
    var changes = TypeSetChanges()
    /// The names of the pairs already compared: messages may contain each other.
    private var seen: Set<[String]> = []

    init(before: DescriptorSet, after: DescriptorSet) {
        self.before = before
        self.after = after
    }

    /// - Parameter what: the name for the old message in reasons, instead of its own.
    mutating func compare(_ old: MessageDescriptor, _ new: MessageDescriptor, as what: String? = nil) {
        guard seen.insert([old.fullName, new.fullName, what ?? ""]).inserted else { return }
        let what = what ?? old.fullName
        if old.wellKnown != new.wellKnown {
            changes.incompatible.append("\(what) can't become \(new.fullName): its values are of a different kind")
            return
        }
        for field in old.fields {
            let place = "\(what).\(field.name)"
            guard let next = new.field(numbered: field.number) else {
                changes.compatible.append(
                    "\(place) (\(field.number)) is dropped; records keep its values, so give its number to no other field"
                )
                continue
            }
            compare(field, next, place)
        }
        for field in new.fields where old.field(numbered: field.number) == nil {
            if field.presence == .required {
                changes.incompatible.append("\(what).\(field.name) is new and required, but stored records lack it")
            } else {
                changes.compatible.append("\(what).\(field.name) (\(field.number)) is new")
            }
        }
        compareOneofs(old, new, what)
    }

    // MARK: - Fields

    private mutating func compare(_ old: FieldDescriptor, _ new: FieldDescriptor, _ place: String) {
        if old.name != new.name { changes.compatible.append("\(place) is called '\(new.name)' now") }
        guard old.cardinality == new.cardinality else {
            return refuse(old, new, place, "the label changes the meaning of stored values")
        }
        comparePresence(old, new, place)
        switch (old.type, new.type) {
        case (.message(let a), .message(let b)): compare(before.messages[a], after.messages[b])
        case (.enumeration(let a), .enumeration(let b)): compare(before.enumerations[a], after.enumerations[b])
        default:
            guard let a = old.type.scalarOnWire, let b = new.type.scalarOnWire else {
                return refuse(old, new, place, "the wire format changes")
            }
            let isEnum = if case .enumeration = new.type { true } else { false }
            guard !isEnum, a == b || MessageComparison.holdsAll(of: a, b) else {
                return refuse(
                    old, new, place,
                    a.wireType == b.wireType
                        ? "stored values would read differently"
                        : "the wire type changes from \(a.wireType.name) to \(b.wireType.name)")
            }
            if old.type != new.type {
                changes.compatible.append(
                    "\(place) is \(after.name(of: new)) now, which holds every \(before.name(of: old))")
            }
        }
    }

    private mutating func refuse(_ old: FieldDescriptor, _ new: FieldDescriptor, _ place: String, _ reason: String) {
        changes.incompatible.append(
            "\(place) (\(old.number)) can't change from \(before.name(of: old)) to \(after.name(of: new)): \(reason)")
    }

    /// Whether bytes of the old type mean the same in the new one.
    private static func holdsAll(of old: ScalarType, _ new: ScalarType) -> Bool {
        switch (old, new) {
        case (.int32, .int64), (.uint32, .uint64), (.uint32, .int64), (.sint32, .sint64), (.string, .bytes),
            (.bool, .int32), (.bool, .int64), (.bool, .uint32), (.bool, .uint64):
            true
        default: false
        }
    }

    private mutating func comparePresence(_ old: FieldDescriptor, _ new: FieldDescriptor, _ place: String) {
        if new.presence == .required, old.presence != .required {
            changes.incompatible.append("\(place) (\(old.number)) becomes required, but stored records may lack it")
        }
        if old.presence == .implicit, new.presence == .explicit, old.isSingle {
            changes.compatible.append(
                "\(place) is optional now: an absent value is missing, no longer 0 or empty")
        }
        if old.presence != .implicit, new.presence == .implicit, old.isSingle {
            changes.compatible.append("\(place) no longer has presence: an absent value is 0 or empty")
        }
        if old.declaredDefault != new.declaredDefault {
            changes.compatible.append("\(place) has a different default")
        }
    }

    /// Refuses oneofs made of formerly independent fields: a stored record may have several of them, a oneof only one.
    private mutating func compareOneofs(_ old: MessageDescriptor, _ new: MessageDescriptor, _ what: String) {
        for (index, name) in new.oneofs.enumerated() {
            let members = new.fields.filter { $0.oneof == index }.compactMap { old.field(numbered: $0.number) }
            guard members.count > 1, members.contains(where: { $0.oneof == nil || $0.oneof != members[0].oneof }) else {
                continue
            }
            changes.incompatible.append(
                "\(what): \(members.map(\.name).joined(separator: " and ")) become alternatives of '\(name)', but stored "
                    + "records may have more than one of them")
        }
    }

    // MARK: - Enums

    private mutating func compare(_ old: EnumDescriptor, _ new: EnumDescriptor) {
        guard seen.insert([old.fullName, new.fullName, "enum"]).inserted else { return }
        for value in old.values where old.name(of: value.number) == value.name {
            guard let name = new.name(of: value.number) else {
                changes.incompatible.append(
                    "\(old.fullName) no longer has \(value.name) = \(value.number), but stored records may hold it")
                continue
            }
            if name != value.name {
                changes.compatible.append("\(old.fullName): \(value.name) = \(value.number) is called \(name) now")
            }
        }
        for value in new.values where old.name(of: value.number) == nil && new.name(of: value.number) == value.name {
            changes.compatible.append("\(old.fullName) has the new value \(value.name) = \(value.number)")
        }
    }
}
