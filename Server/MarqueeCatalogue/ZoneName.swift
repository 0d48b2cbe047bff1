import Foundation

extension TimeZone {
    /// The longest name of a zone, in bytes.
    private static let nameBytes = 64

    /// The zone with a place's name in the tz database, old names included, or UTC.
    ///
    /// - Parameter name: such as `Asia/Seoul`, `Asia/Calcutta` or `Etc/UTC`.
    /// - Returns: `nil` for anything else. A name without a slash may stand for several zones, as `CST` does.
    package init?(named name: String) {
        guard name.contains("/") || name == "UTC" || name == "GMT", name.utf8.count <= TimeZone.nameBytes else {
            return nil
        }
        self.init(identifier: name)
    }
}
