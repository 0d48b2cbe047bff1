import MarqueeServer
import MarqueeWire

/// All metrics of a server, in the order in which they are exposed.
///
/// To add a metric, add it to the list of its topic. `MetricListTests` checks names, and that dashboards and alerts use
/// only metrics that exist.
package enum MetricList {
    package static let all: [Metric] =
        node + files + connections + sessions + deliveries + resumes + work + commits + sources + limits + process

    /// All metrics as text.
    package static func exposition(of reading: Reading) -> String {
        var exposition = Exposition()
        for metric in all { exposition.add(metric, metric.read(reading)) }
        return exposition.text
    }

    /// The upper bounds of `marquee_session_lag_seconds`.
    package static let lagBounds = [0, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

    private static let node = [
        Metric("marquee_build_info", .gauge, "The version that runs; always 1.") { _ in
            [Metric.Sample(.count(1), [Metric.Label("version", MarqueeServer.version)])]
        },
        Metric("marquee_state", .gauge, "1 for the state that the node is in, 0 for the others.") { reading in
            NodeState.allCases.map {
                Metric.Sample(.count($0 == reading.state ? 1 : 0), [Metric.Label("state", $0.rawValue)])
            }
        },
        Metric(
            "marquee_source_up", .gauge,
            "1 while the node can reach the source of its content, a store or a server upstream; 0 while it can't."
        ) { reading in
            guard reading.server != nil || reading.waiting != nil else { return [] }
            return [Metric.Sample(.count(reading.outage == nil ? 1 : 0))]
        },
        Metric("marquee_source_away_seconds", .gauge, "How long the source has been out of reach; 0 if it isn't.") {
            reading in
            guard reading.server != nil || reading.waiting != nil else { return [] }
            return [Metric.Sample(.number(Double(reading.outage?.age ?? 0) / 1_000))]
        },
        server(
            "marquee_stale_seconds", .gauge, "Age of the content shown, while the source can't be reached or is stale."
        ) {
            .number(Double($0.stale ?? 0) / 1_000)
        },
        server(
            "marquee_clock_off_seconds", .gauge,
            "How far the time of day is ahead of the time that the server goes by, or behind; 0 while it is believed."
        ) {
            .number(Double($0.clockTrouble?.aheadMilliseconds ?? 0) / 1_000)
        },
        Metric("marquee_uptime_seconds", .gauge, "How long the server has been serving.") { reading in
            reading.server.map { [Metric.Sample(.number(Double($0.uptime) / 1_000))] } ?? []
        },
        server("marquee_catalogue_revision", .gauge, "The catalogue's revision that sessions are sent.") {
            .count($0.revision)
        },
        Metric("marquee_catalogue_records", .gauge, "Records in the catalogue, by type.") { reading in
            Metric.Sample.each(of: reading.server?.records ?? [:], by: "type") { .number($0) }
        },
        Metric("marquee_log_lines_dropped_total", .counter, "Lines not logged because there were too many.") {
            [Metric.Sample(.count($0.unloggedLines))]
        },
    ]

    private static let files = [
        Metric(
            "marquee_file_unusable_timestamp_seconds", .gauge,
            "When a file that the server uses became unusable, in seconds since 1970; 0 if it can be used."
        ) { reading in
            Metric.Sample.each(of: reading.files, by: "file") { .number($0.unusableSince?.timeIntervalSince1970 ?? 0) }
        },
        Metric("marquee_file_failures_total", .counter, "Times that a file could not be used when it was read.") {
            Metric.Sample.each(of: $0.files, by: "file") { .count($0.failures) }
        },
        Metric(
            "marquee_file_end_timestamp_seconds", .gauge,
            "Expiry of the file in force, such as a certificate, in seconds since 1970."
        ) { reading in
            let ends = reading.files.compactMapValues(\.ends)
            return Metric.Sample.each(of: ends, by: "file") { .number($0.timeIntervalSince1970) }
        },
    ]

    private static let connections = [
        Metric("marquee_connections", .gauge, "Open connections, by state.") { reading in
            guard let server = reading.server else { return [] }
            let counts = Dictionary(grouping: server.sessions, by: \.state).mapValues(\.count)
            return SessionReport.State.allCases.map {
                Metric.Sample(.number(counts[$0] ?? 0), [Metric.Label("state", $0.rawValue)])
            }
        },
        server("marquee_connections_limit", .gauge, "The most connections that may be open at once.") {
            .number($0.connections.limit)
        },
        server("marquee_connections_accepted_total", .counter, "Connections that were accepted.") {
            .count($0.connections.accepted)
        },
        Metric("marquee_connections_ended_total", .counter, "Connections that have ended, by reason.") { reading in
            Metric.Sample.each(of: reading.server?.connections.ended ?? [:], by: "reason") { .count($0) }
        },
        server("marquee_welcomes_total", .counter, "Clients that were welcomed.") { .count($0.welcomes) },
    ]

    private static let sessions = [
        server("marquee_sessions", .gauge, "Sessions of clients that were welcomed and are still there.") { server in
            .number(server.sessions.count { $0.state == .live })
        },
        server("marquee_subscriptions", .gauge, "Views that sessions show.") { .number($0.subscriptions) },
        server("marquee_event_readers", .gauge, "Readers of screens by server-sent events.") {
            .number($0.eventReaders)
        },
        server("marquee_sessions_behind", .gauge, "Sessions that haven't been sent the newest revision.") { server in
            .number(server.sessions.count { $0.lag > 0 })
        },
        Metric(
            "marquee_session_lag_seconds", .histogram,
            "Age of the oldest change that a session hasn't been sent: one value per session and reading."
        ) { [Metric.Sample(.histogram($0.lag))] },
        server("marquee_session_buffered_bytes", .gauge, "Bytes that sessions hold for the system to take.") { server in
            .number(server.sessions.reduce(0) { $0 + $1.load.bufferedBytes + $1.load.waitingBytes })
        },
    ]

    private static let deliveries = [
        server("marquee_deliveries_total", .counter, "Data frames that were written to sessions.") {
            .count($0.deliveries)
        },
        Metric("marquee_sent_bytes_total", .counter, "Bytes of data that sessions were sent, without TLS.") { reading in
            reading.server == nil ? [] : [Metric.Sample(.count(reading.sentBytes))]
        },
        server("marquee_encodes_total", .counter, "Patches and sections that were encoded.") {
            .count($0.library.encodes)
        },
        server("marquee_encoded_bytes_total", .counter, "Bytes of patches and sections that were encoded.") {
            .count($0.library.encodedBytes)
        },
        server("marquee_patch_cache_hits_total", .counter, "Times that a needed patch had already been encoded.") {
            .count($0.library.hits)
        },
        server("marquee_comparisons_total", .counter, "Pairs of versions that were compared for a patch.") {
            .count($0.library.comparisons)
        },
        Metric("marquee_library_bytes", .gauge, "Bytes of versions and of encoded patches that are kept.") { reading in
            guard let bytes = reading.server?.libraryBytes else { return [] }
            return [
                Metric.Sample(.number(bytes.patches), [Metric.Label("kind", "patches")]),
                Metric.Sample(.number(bytes.versions), [Metric.Label("kind", "versions")]),
            ]
        },
    ]

    private static let resumes = [
        server("marquee_nacks_total", .counter, "Cuts that clients refused.") { .count($0.events.nacks) },
        server("marquee_repairs_total", .counter, "Cuts that answered a refused one.") { .count($0.events.repairs) },
        server("marquee_failed_sections_total", .counter, "Times that a view had to go on without a section.") {
            .count($0.events.failedSections)
        },
        server("marquee_refused_patches_total", .counter, "Patches not sent because they miss their target.") {
            .count($0.library.refusedPatches)
        },
        Metric(
            "marquee_resumed_sections_total", .counter, "Sections that clients offered for resuming, by what they took."
        ) { reading in
            let resumes = (reading.server?.events.resumes ?? [:]).map { ($0.rawValue, $1) }
            return Metric.Sample.each(of: Dictionary(uniqueKeysWithValues: resumes), by: "tier") { .count($0) }
        },
    ]

    private static let work = [
        lane("marquee_lane_waiting", .gauge, "Requests of connections that wait for a thread.") { .number($0.waiting) },
        lane("marquee_lane_done_total", .counter, "Requests of connections that a thread has worked on.") {
            .count($0.done)
        },
        lane("marquee_lane_dropped_total", .counter, "Requests of connections that closed before their turn.") {
            .count($0.dropped)
        },
        Metric("marquee_calls_total", .counter, "Calls that were begun, by method.") { reading in
            Metric.Sample.each(of: reading.server?.calls ?? [:], by: "method") { .count($0.begun) }
        },
        Metric("marquee_calls_failed_total", .counter, "Calls that were answered with an error, by method.") {
            reading in
            Metric.Sample.each(of: reading.server?.calls ?? [:], by: "method") { .count($0.failed) }
        },
    ]

    private static let commits = [
        log("marquee_commit_seconds", .histogram, "How long the store took to make a batch of writes durable.") {
            .histogram($0.seconds)
        },
        log("marquee_writes_total", .counter, "Writes that were handed to the store.") { .count($0.writes) },
        log("marquee_writes_failed_total", .counter, "Writes that couldn't be stored.") { .count($0.failures) },
        log("marquee_writes_refused_total", .counter, "Writes refused because too many were waiting.") {
            .count($0.refused)
        },
        log("marquee_writes_failing_seconds", .gauge, "How long no write could be stored; 0 if one could.") {
            .number(Double($0.failing?.age ?? 0) / 1_000)
        },
        Metric(
            "marquee_write_ahead_bytes", .gauge, "Bytes of commits that are yet to be moved into the file of their log."
        ) { reading in
            let bytes = (reading.server?.commits ?? [:]).compactMapValues(\.writeAheadBytes)
            return Metric.Sample.each(of: bytes, by: "log") { .number($0) }
        },
        log("marquee_writes_waiting", .gauge, "Writes that wait for the store.") { .number($0.waiting) },
    ]

    private static let sources = [
        source(
            "marquee_followed_moved_timestamp_seconds",
            "When an external source last moved, in seconds since 1970."
        ) { $0.movedMilliseconds.map { .number(Double($0) / 1_000) } },
        source("marquee_followed_lag_seconds", "How far a source is behind, according to its last report.") {
            $0.report?.lagMilliseconds.map { .number(Double($0) / 1_000) }
        },
        source("marquee_followed_report_age_seconds", "The age of a source's last report.") {
            $0.reportAgeMilliseconds.map { .number(Double($0) / 1_000) }
        },
        source(
            "marquee_followed_trouble_seconds",
            "For how long a source has been silent, behind or failing; 0 while it is as it should be."
        ) { .number(Double($0.trouble?.ageMilliseconds ?? 0) / 1_000) },
        source("marquee_followed_failing", "1 if a source's last report contains an error, 0 if not.") {
            $0.report.map { .count($0.error == nil ? 0 : 1) }
        },
    ]

    private static let limits = [
        Metric("marquee_limit_hits_total", .counter, "Times that a limit was hit, by its name.") { reading in
            Metric.Sample.each(of: reading.server?.limitHits ?? [:], by: "limit") { .count($0) }
        },
        budget("marquee_budget_bytes", "Bytes that connections hold together.") { $0.bytes },
        budget("marquee_budget_limit_bytes", "The most bytes that connections may hold together.") { $0.limit },
    ]

    /// Names that all Prometheus clients use, hence without our prefix.
    private static let process = [
        Metric("process_resident_memory_bytes", .gauge, "Resident memory of the process.") {
            $0.process.residentBytes.map { [Metric.Sample(.count($0))] } ?? []
        },
        Metric("process_cpu_seconds_total", .counter, "Processor time that the process has used.") {
            [Metric.Sample(.number($0.process.processorSeconds))]
        },
        Metric("process_open_fds", .gauge, "Open file descriptors of the process.") {
            $0.process.openDescriptors.map { [Metric.Sample(.number($0))] } ?? []
        },
        Metric("process_max_fds", .gauge, "The most file descriptors that the process may have open.") {
            $0.process.maximumDescriptors.map { [Metric.Sample(.number($0))] } ?? []
        },
        Metric("process_start_time_seconds", .gauge, "When the process started, in seconds since 1970.") {
            [Metric.Sample(.number($0.process.startTime))]
        },
    ]
}

extension Reading {
    /// The outage of the node's source of content, if there is one.
    fileprivate var outage: SourceOutage? { server == nil ? waiting : server?.outage }
}

extension MetricList {
    /// A metric with one sample.
    private static func server(
        _ name: String, _ kind: Metric.Kind, _ help: String,
        _ value: @escaping @Sendable (ServerFigures) -> Metric.Value
    ) -> Metric {
        Metric(name, kind, help) { reading in reading.server.map { [Metric.Sample(value($0))] } ?? [] }
    }

    private static func lane(
        _ name: String, _ kind: Metric.Kind, _ help: String, _ value: @escaping @Sendable (LaneFigures) -> Metric.Value
    ) -> Metric {
        Metric(name, kind, help) { reading in
            (reading.server?.lanes ?? []).map { Metric.Sample(value($0), [Metric.Label("lane", $0.name)]) }
        }
    }

    private static func log(
        _ name: String, _ kind: Metric.Kind, _ help: String,
        _ value: @escaping @Sendable (CommitFigures) -> Metric.Value
    ) -> Metric {
        Metric(name, kind, help) { Metric.Sample.each(of: $0.server?.commits ?? [:], by: "log", value) }
    }

    /// A metric of the sources that have a value for it.
    private static func source(
        _ name: String, _ help: String, _ value: @escaping @Sendable (SourceState) -> Metric.Value?
    ) -> Metric {
        Metric(name, .gauge, help) { reading in
            (reading.server?.sources ?? []).compactMap { state in
                value(state).map { Metric.Sample($0, [Metric.Label("source", state.source)]) }
            }
        }
    }

    private static func budget(
        _ name: String, _ help: String, _ value: @escaping @Sendable (BudgetFigures) -> Int
    ) -> Metric {
        Metric(name, .gauge, help) { reading in
            (reading.server?.budgets ?? []).map {
                Metric.Sample(.number(value($0)), [Metric.Label("budget", $0.name)])
            }
        }
    }
}
