import MarqueeClient
import MarqueeModel
import MarqueeStore

/// The collections that users of a schedule change: favorites of films, and progress in clips, which keeps a number.
enum Collections {
    static let progress = CollectionName("progress")
    static let all = [CollectionName.favorites, progress]
    /// Ids of the clips that the catalogue has, and of one that it doesn't.
    static let clips = ["a", "b", "c", "d", "missing"]

    /// Returns the text that the app is shown for a member: its subject, and its value where it has one.
    static func text(_ subject: String, _ value: CollectionValue?) -> String {
        value.map { "\(subject)=\($0)" } ?? subject
    }

    /// A stored value as the app is shown it, computed without the server's code.
    static func value(of member: StoredMember) -> CollectionValue? {
        guard member.collection == progress else { return nil }
        // The field 1 as a varint of one byte; nothing for 0.
        return CollectionValue(member.value.count == 2 ? member.value[1] : 0)
    }
}
