import MarqueeScreens

/// A user, and what its token says of it.
struct Reader: Hashable {
    var user: String?
    /// The plan; `nil` if the token names none, so that nobody knows which audiences it is in.
    var plan: String?

    /// The plans that tokens name.
    static let plans: [String?] = ["plus", "free", nil]

    var claims: Claims { plan.map { Claims(["plan": .text($0)]) } ?? .none }
}
