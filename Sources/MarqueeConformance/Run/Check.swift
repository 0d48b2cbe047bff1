/// One requirement of the protocol, and the script that tests whether a peer meets it.
///
/// `Stage` is the environment of the script: `ServerStage` or `ClientStage`.
package struct Check<Stage>: Sendable {
    /// Unique among the checks of servers, or of clients; lower case with hyphens.
    package let name: String
    package let chapter: Chapter
    /// The requirement: a sentence that describes a conforming peer.
    package let sentence: String
    /// Whether it waits for one of the peer's timers; such checks all start at once, beside the others.
    package let isSlow: Bool
    /// Throws `Deviation` if the peer doesn't conform, `NotApplicable` if the check can't be run against it.
    package let script: @Sendable (Stage) async throws -> Void

    package init(
        _ name: String, _ chapter: Chapter, _ sentence: String, isSlow: Bool = false,
        script: @escaping @Sendable (Stage) async throws -> Void
    ) {
        self.name = name
        self.chapter = chapter
        self.sentence = sentence
        self.isSlow = isSlow
        self.script = script
    }

    /// Whether this value of `--only` selects the check, by its name or by its chapter's number.
    package func matches(_ selection: String) -> Bool {
        selection == String(chapter.number) || name == selection
    }
}

/// Thrown when a peer does something other than the protocol demands.
package struct Deviation: Error, Hashable, Sendable {
    package var expected: String
    package var actual: String
    /// The last frames in both directions, oldest first.
    package var transcript: [String]

    package init(expected: String, actual: String, transcript: [String] = []) {
        self.expected = expected
        self.actual = actual
        self.transcript = transcript
    }
}

/// Thrown when a check can't be run against this peer.
package struct NotApplicable: Error, Hashable, Sendable {
    /// The reason why it can't be run.
    package var reason: String

    package init(_ reason: String) { self.reason = reason }
}
