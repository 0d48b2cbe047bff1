/// The variants that a session's subscriptions show, by handle and by content, and those with unfinished work.
struct VariantIndex {
    /// The subscription of each live handle.
    private var owners: [UInt64: UInt32] = [:]
    /// The live handles that show each content.
    private var showing: [UInt64: Set<UInt64>] = [:]
    /// Handles of live subscriptions of which the client lacks the newest version.
    private(set) var dirty: Set<UInt64> = []
    /// Handles of sections that couldn't be sent, to be retried.
    private(set) var failed: Set<UInt64> = []

    var count: Int { owners.count }

    func owner(of handle: UInt64) -> UInt32? { owners[handle] }

    mutating func add(_ handle: UInt64, showing content: UInt64, of owner: UInt32) {
        owners[handle] = owner
        showing[content, default: []].insert(handle)
    }

    mutating func remove(_ handle: UInt64, showing content: UInt64) {
        owners[handle] = nil
        showing[content]?.remove(handle)
        if showing[content]?.isEmpty == true { showing[content] = nil }
        dirty.remove(handle)
        failed.remove(handle)
    }

    /// The client lacks the newest version; that of a failed section is sent when it is retried.
    mutating func changed(_ handle: UInt64) {
        if !failed.contains(handle) { dirty.insert(handle) }
    }

    /// Every newest version is on its way.
    mutating func sent() { dirty.removeAll() }

    mutating func fail(_ handle: UInt64) {
        failed.insert(handle)
        dirty.remove(handle)
    }

    mutating func retry(_ handle: UInt64) { failed.remove(handle) }

    /// The changes to contents that are shown. Iterates over the smaller of the two dictionaries: a commit may change
    /// thousands of contents, and thousands of sessions may show a few each.
    func shown<Change>(of changes: [UInt64: Change]) -> [(handle: UInt64, owner: UInt32, change: Change)] {
        let shown =
            changes.count < showing.count
            ? changes.compactMap { content, change in showing[content].map { ($0, change) } }
            : showing.compactMap { content, handles in changes[content].map { (handles, $0) } }
        return shown.flatMap { handles, change in
            handles.compactMap { handle in owners[handle].map { (handle, $0, change) } }
        }
    }
}
