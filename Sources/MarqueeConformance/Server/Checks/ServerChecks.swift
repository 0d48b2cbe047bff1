/// The checks of a server, by chapter.
package enum ServerChecks {
    package static let all: [Check<ServerStage>] =
        frames + messages + limits + greeting + contents + subscriptions + staging + cuts + positions + resume + repair
        + rebase + liveness + calls + mutations + collections
}

typealias ServerCheck = Check<ServerStage>
