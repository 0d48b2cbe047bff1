/// The checks of a client, by chapter.
package enum ClientChecks {
    package static let all: [Check<ClientStage>] =
        frames + messages + limits + greeting + contents + subscriptions + staging + cuts + positions + resume + repair
        + rebase + liveness + kinds + statuses
}

typealias ClientCheck = Check<ClientStage>
