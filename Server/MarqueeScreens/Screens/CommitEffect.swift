/// What a commit did beside changing content.
package struct CommitEffect: Hashable, Sendable {
    /// The screens that another programme defines differently: their views have to be planned again.
    package var replans = ChangedScreens.none
    /// Another programme is in force.
    package var changesProgramme: Bool { replans != .none }
    /// What is wrong with a programme that the commit brought; the one before stays in force.
    package var programmeErrors: [ProgrammeError] = []

    package init() {}
}
