package import MarqueeTypes

/// Effects of a commit besides changed content.
package struct CommitEffect: Hashable, Sendable {
    /// The screens that a new programme defines differently, whose views must be planned again.
    package var replans = ChangedScreens.none
    /// Whether the current programme was replaced.
    package var changesProgramme: Bool { replans != .none }
    /// Errors in the commit's programme; the previous one then stays current.
    package var programmeErrors: [FileMistake] = []

    package init() {}
}
