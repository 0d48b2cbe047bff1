import MarqueeModel
import MarqueeScreenJSON
import MarqueeServer

/// The id of a server-sent event: the position and the sums of the screen that a client has once it has read it.
///
/// It is `EPOCH.REVISION.EPOCH.REVISION.SUMS`: the epochs and the sums in hexadecimal, the latter 16 digits each, that
/// of the list of sections first. Clients send it back as it is.
enum EventID {
    /// The most bytes. A screen with more sections than that has room for is sent again as a whole.
    static let maximumBytes = 4_096
    private static let digits = 16

    static func text(_ state: FeedState) -> String {
        let cut = state.cut
        let position =
            String(cut.catalogueEpoch, radix: 16) + ".\(cut.catalogueRevision)."
            + String(cut.userEpoch, radix: 16) + ".\(cut.userRevision)."
        let sums = [state.list.sum] + state.sections.map { $0.version?.sum ?? 0 }
        guard position.utf8.count + sums.count * digits <= maximumBytes else { return position }
        return position + sums.map(ContentJSON.hexadecimal).joined()
    }

    /// - Returns: `nil` for text that isn't such an id.
    static func screen(_ text: String) -> SeenScreen? {
        guard text.utf8.count <= maximumBytes else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 5, let epoch = UInt64(parts[0], radix: 16), let revision = UInt64(parts[1]),
            let userEpoch = UInt64(parts[2], radix: 16), let userRevision = UInt64(parts[3])
        else { return nil }
        let cut = Cut(
            catalogueEpoch: epoch, catalogueRevision: revision, userEpoch: userEpoch, userRevision: userRevision)
        var sums: [UInt64] = []
        var rest = parts[4]
        while !rest.isEmpty {
            guard rest.utf8.count >= digits, let sum = UInt64(rest.prefix(digits), radix: 16) else { return nil }
            sums.append(sum)
            rest = rest.dropFirst(digits)
        }
        return SeenScreen(cut: cut, list: sums.first ?? 0, sections: Array(sums.dropFirst()))
    }
}
