package import MarqueeTypes

/// What a commit did besides changing content.
package struct CommitEffect: Hashable, Sendable {
    /// The screens that a new programme defines differently, whose views must be planned again.
    package var replans = ChangedScreens.none
    /// Whether a new programme is in force.
    package var changesProgramme: Bool { replans != .none }
    /// Errors in the programme in the commit; the previous one stays in force.
    package var programmeErrors: [FileMistake] = []

    package init() {}
}
