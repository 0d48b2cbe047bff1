/// What a commit did beside changing content.
package struct CommitEffect: Hashable, Sendable {
    /// Another programme is in force: every view has to be planned again.
    package var changesProgramme = false
    /// What is wrong with a programme that the commit brought; the one before stays in force.
    package var programmeErrors: [ProgrammeError] = []

    package init() {}
}
