import MarqueeDiff
import MarqueeScreens
import MarqueeStore

/// The variants that a hub remembers, and what they show.
///
/// Variants with the same identity share one content: it is evaluated, recorded and published once, however many
/// screens show it. A content has a number that is never reused. A handle is derived from what its variant shows, so
/// all servers of a cluster use the same one, and a relay can switch servers without learning new handles.
struct VariantTable {
    /// Bits of a handle, which takes at most seven bytes in a frame. With a hundred thousand variants, two collide on
    /// one server in fifty thousand; the second one gets the next handle.
    static let handleBits = 48

    /// A view or variant that is shown, or was shown recently.
    struct Variant {
        var key: ContentKey
        var content: UInt64
        var subscribers = 1
    }

    struct Content {
        /// The key that it is evaluated by, which is that of its first variant.
        let key: ContentKey
        /// `nil` if no other variant may share it.
        var identity: ContentIdentity?
        var current: CurrentVersion
        /// The number of variants that show it, and how many of these have subscribers.
        var variants = 0
        var shown = 0
        /// Whether the screens keep it current. They do while it is shown, unless the programme lacked it when the
        /// catalogue was read again.
        var isKept = true
        /// The position up to which the screens kept it current; `nil` if that isn't known.
        var asOf: Stamp?
    }

    /// The positions of the logs that a content depends on.
    struct Stamp: Hashable {
        var catalogue: LogHead
        /// The user's log, for a content that is private to one.
        var user: LogHead?
    }

    private let handle: (ContentKey) -> UInt64
    private(set) var variants: [UInt64: Variant] = [:]
    var contents: [UInt64: Content] = [:]
    private var handles: [ContentKey: UInt64] = [:]
    private var shared: [ContentIdentity: UInt64] = [:]
    /// The next number for a content.
    private(set) var nextNumber: UInt64 = 1

    /// - Parameter handle: the handle that a variant should have. All servers of a cluster have to agree on it.
    init(handle: @escaping (ContentKey) -> UInt64) { self.handle = handle }

    func handle(of key: ContentKey) -> UInt64? { handles[key] }

    func content(of handle: UInt64) -> Content? { variants[handle].flatMap { contents[$0.content] } }

    /// The content shared by variants of this identity.
    func content(_ identity: ContentIdentity?) -> UInt64? { identity.flatMap { shared[$0] } }

    // MARK: - Coming and going

    private func newHandle(for key: ContentKey) -> UInt64 {
        var handle = handle(key)
        while variants[handle] != nil { handle = handle % (1 << Self.handleBits) + 1 }
        return handle
    }

    /// Adds a content that nothing shows yet. The number in `current` is `nextNumber`.
    mutating func add(_ key: ContentKey, _ identity: ContentIdentity?, _ current: CurrentVersion, isKept: Bool) {
        contents[current.content] = Content(key: key, identity: identity, current: current, isKept: isKept)
        if let identity { shared[identity] = current.content }
        nextNumber = max(nextNumber, current.content + 1)
    }

    /// Adds a variant with one subscriber.
    /// - Returns: its handle.
    mutating func add(_ key: ContentKey, showing content: UInt64) -> UInt64 {
        let handle = newHandle(for: key)
        variants[handle] = Variant(key: key, content: content)
        handles[key] = handle
        contents[content]?.variants += 1
        contents[content]?.shown += 1
        return handle
    }

    /// Adds a subscriber.
    mutating func subscribe(_ handle: UInt64) {
        guard let variant = variants[handle] else { return }
        variants[handle]?.subscribers += 1
        if variant.subscribers == 0 { contents[variant.content]?.shown += 1 }
    }

    /// Removes a subscriber.
    /// - Returns: the variant if that was its last subscriber.
    mutating func unsubscribe(_ handle: UInt64) -> Variant? {
        guard var variant = variants[handle], variant.subscribers > 0 else { return nil }
        variant.subscribers -= 1
        variants[handle] = variant
        guard variant.subscribers == 0 else { return nil }
        contents[variant.content]?.shown -= 1
        return variant
    }

    /// Forgets a variant without subscribers.
    /// - Returns: its content, if nothing else shows it.
    mutating func remove(_ handle: UInt64) -> (number: UInt64, content: Content)? {
        guard let variant = variants[handle], variant.subscribers == 0 else { return nil }
        variants.removeValueAndRoom(forKey: handle)
        handles.removeValueAndRoom(forKey: variant.key)
        return leave(variant.content)
    }

    private mutating func leave(_ number: UInt64) -> (number: UInt64, content: Content)? {
        contents[number]?.variants -= 1
        guard let content = contents[number], content.variants == 0 else { return nil }
        setIdentity(nil, of: number)
        contents.removeValueAndRoom(forKey: number)
        return (number, content)
    }

    // MARK: - Another programme

    mutating func setIdentity(_ identity: ContentIdentity?, of number: UInt64) {
        guard let before = contents[number]?.identity, before != identity else { return }
        if shared[before] == number { shared.removeValueAndRoom(forKey: before) }
        contents[number]?.identity = identity
        if let identity, shared[identity] == nil { shared[identity] = number }
    }

    /// Variants that show a content evaluated by another variant's key.
    func guests(of number: UInt64) -> [UInt64] {
        guard let content = contents[number] else { return [] }
        return variants.filter { $0.value.content == number && $0.value.key != content.key }.keys.sorted()
    }

    /// Gives a variant a content of its own, not kept current yet.
    /// - Returns: the content's number, and the previous content's number if nothing shows that any longer.
    mutating func part(_ handle: UInt64) -> (number: UInt64, left: UInt64?)? {
        guard let variant = variants[handle], var current = contents[variant.content]?.current else { return nil }
        current.content = nextNumber
        add(variant.key, nil, current, isKept: false)
        contents[current.content]?.variants = 1
        if variant.subscribers > 0 {
            contents[current.content]?.shown = 1
            contents[variant.content]?.shown -= 1
        }
        variants[handle]?.content = current.content
        return (current.content, leave(variant.content)?.number)
    }
}

extension ContentKey {
    /// The handle that the variant should have; never 0.
    package var handle: UInt64 {
        var bytes: [UInt8] = []
        func add(_ text: String) {
            bytes += text.utf8
            // This byte occurs in no UTF-8 text.
            bytes.append(.max)
        }
        switch self {
        case .view(let key):
            bytes.append(key.omitsPrivate ? 1 : 0)
            for text in [key.screen, key.locale] + key.targeted { add(text) }
            // Without titles by audience, handles are the same as on servers that don't know them.
            if key.title != .fallback { bytes.append(.max) }
            for audience in key.title.audiences { add(audience) }
        case .section(let key):
            bytes.append(key.user == nil ? 2 : 3)
            for text in [key.screen, key.section, key.sort, "\(key.window)", key.locale, key.user ?? ""] { add(text) }
            // Without a place, handles are the same as on servers that don't know places.
            if let place = key.place {
                for text in [place.item ?? "", place.value ?? "", place.isEnd ? "end" : ""] { add(text) }
                for part in [place.cursor.map { "\($0)" } ?? "", "\(place.before)", "\(place.after)"] { add(part) }
            }
            // Likewise without cases. No place has a byte like this one at its beginning.
            if key.rendition != .fallback { bytes.append(.max) }
            for audience in key.rendition.audiences { add(audience) }
        }
        return XXH64.hash(bytes) % (1 << VariantTable.handleBits) + 1
    }
}
