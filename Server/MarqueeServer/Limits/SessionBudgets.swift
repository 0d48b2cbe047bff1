/// The byte budgets that all sessions of a server share.
package struct SessionBudgets: Sendable {
    /// Answers that are encoded but not written yet.
    package var answers: ByteBudget
    /// Publications of several parts that are arriving or being committed.
    package var publications: ByteBudget
    /// Publications of one part that are being committed. They have a budget of their own, so that unfinished ones
    /// can't crowd them out.
    package var wholePublications = ByteBudget(limit: 16 << 20)
    /// Manifests that are arriving, or have arrived and weren't used yet. If there is no room, sections are sent whole.
    package var manifests = ByteBudget(limit: 64 << 20)

    package init(_ limits: ServerLimits = ServerLimits()) {
        answers = ByteBudget(limit: limits.answerBytes)
        publications = ByteBudget(limit: limits.publicationBytes)
    }
}
