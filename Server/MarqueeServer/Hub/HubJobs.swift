/// The jobs that keep a hub current after news from its store: which of them to run, and when a user's logs that may
/// have moved are read.
struct HubJobs {
    enum Job: Hashable {
        /// The catalogue's log has new commits.
        case catalogue
        /// A user's log has moved.
        case user(String)
    }

    private var jobs = CoalescedJobs<Job>()
    private var missedUsers = MissedUsers()

    /// - Returns: whether to run the job now.
    mutating func ask(_ job: Job) -> Bool { jobs.ask(job) }

    /// The logs of these users may have moved.
    /// - Returns: the jobs to run now.
    mutating func missed(_ users: Set<String>) -> [Job] { starting(missedUsers.add(users)) }

    /// A job has succeeded.
    /// - Returns: the jobs to run now.
    mutating func ended(_ job: Job) -> [Job] {
        if jobs.done(job) { return [job] }
        guard case .user(let user) = job else { return [] }
        return starting(missedUsers.done(user))
    }

    /// A job has failed: call `retry` after a pause.
    /// - Returns: whether the reason has changed since the last failure.
    mutating func failed(_ job: Job, _ reason: String) -> Bool { jobs.failed(job, reason) }

    mutating func retry(_ job: Job) { jobs.retry(job) }

    private mutating func starting(_ users: Set<String>) -> [Job] {
        users.sorted().map { .user($0) }.filter { jobs.ask($0) }
    }
}
