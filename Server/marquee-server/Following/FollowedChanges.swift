import MarqueeCatalogue
import MarqueeImport
import MarqueePublisher
import MarqueeStore

/// Changes of records on their way into a publication: of several to one record, the last counts.
struct FollowedChanges {
    typealias Entry = (id: RecordID, document: [UInt8])

    private var places: [RecordID: Int] = [:]
    private(set) var entries: [Entry] = []
    private var bytes = 0

    var isEmpty: Bool { entries.isEmpty }
    var documents: [[UInt8]] { entries.map(\.document) }
    /// The records that are put or removed.
    var ids: [RecordID] { entries.map(\.id) }

    /// Adds changes that belong together.
    /// - Returns: `false`, having added nothing, if they may not fit any more.
    mutating func add(_ new: [Entry]) -> Bool {
        let more = new.reduce(0) { $0 + $1.document.count }
        // A single one always fits: see `entry`.
        guard
            isEmpty && new.count <= 1
                || entries.count + new.count <= PublicationSize.maximumChanges
                    && bytes + more <= PublicationSize.maximumBytes
        else { return false }
        bytes += more
        for entry in new {
            if let place = places[entry.id] {
                bytes -= entries[place].document.count
                entries[place] = entry
            } else {
                places[entry.id] = entries.count
                entries.append(entry)
            }
        }
        return true
    }

    /// Forgets the changes of records of these types.
    mutating func leaveOut(_ types: Set<String>) {
        guard !types.isEmpty else { return }
        let kept = entries.filter { !types.contains($0.id.type) }
        self = FollowedChanges()
        for entry in kept { _ = add([entry]) }
    }

    /// The document of a record, or of its removal.
    /// - Returns: why it can't be published.
    static func entry(_ id: RecordID, _ bytes: [UInt8]?) -> Result<Entry, Refusal> {
        do throws(StoreError) {
            let document = try (bytes.map { Change.put(id, .bytes($0)) } ?? .remove(id)).document()
            if let reason = PublicationSize.refusal(of: [document]) { return .failure(Refusal(reason: reason)) }
            return .success((id, document))
        } catch {
            return .failure(Refusal(reason: error.description))
        }
    }

    struct Refusal: Error {
        var reason: String
    }
}
