import MarqueeDiff

/// The sections and values that depend on who reads them, computed without the server's code.
enum Audiences {
    /// The screen that has them.
    static let screen = "home"
    /// Only for members.
    static let offer = "offer"
    /// Only for those who are known not to be members.
    static let upsell = "upsell"
    /// For everybody, with a header by audience.
    static let arm = "arm"
    static let restricted = [offer, upsell]

    /// The definitions of audiences in a programme.
    ///
    /// - Parameter share: of all users who try something.
    static func definitions(share: String) -> String {
        "audiences: {members: {plan: plus}, trial: {bucket: {salt: trial, below: \(share)}}}"
    }

    static let sections = """
              - {id: offer, kind: list, audience: members, source: {records: {type: film, sort: -rating, limit: 3}}}
              - {id: upsell, kind: list, audience: {not: members}, source: {records: {type: film, sort: -rating, limit: 2}}}
              - id: arm
                kind: list
                header: [{audience: members, use: Members}, {audience: trial, use: Trial}, Everybody]
                source: {records: {type: film, sort: -rating, limit: 2}}
        """

    /// The titles of a screen, given the one for everybody else.
    static func titles(_ title: String) -> String { "[{audience: members, use: \(title) of members}, \(title)]" }

    /// Whether a title is for a reader.
    static func isTitle(_ title: String, for reader: Reader) -> Bool {
        title.hasSuffix("members") == (reader.plan == "plus")
    }

    /// Whether a section is for a reader.
    static func includes(_ reader: Reader, in section: String) -> Bool {
        switch section {
        case offer: reader.plan == "plus"
        case upsell: reader.plan.map { $0 != "plus" } ?? false
        default: true
        }
    }

    /// The header of the section that has one for each audience.
    ///
    /// - Parameter isGrown: whether all users try something, instead of half of them.
    static func header(for reader: Reader, isGrown: Bool) -> String {
        if reader.plan == "plus" { return "Members" }
        let isTrying = reader.user.map { isGrown || XXH64.hash(Array("trial\0\($0)".utf8)) < 1 << 63 } ?? false
        return isTrying ? "Trial" : "Everybody"
    }
}
