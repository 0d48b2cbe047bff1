/// A position in the catalogue's log and in a user's, as a client shows it.
struct Position: Hashable, Sendable {
    var epoch: UInt64 = 0
    var revision: UInt64 = 0
    var userEpoch: UInt64 = 0
    var userRevision: UInt64 = 0

    var text: String {
        "\(String(epoch, radix: 16))/\(revision) \(String(userEpoch, radix: 16))/\(userRevision)"
    }
}

/// A change that a writer asks for, numbered so that it can be told from every other one.
enum Write: Hashable, Sendable {
    /// A movie carries this key from now on, by a commit of the catalogue with that key.
    case mark(movie: String, key: String)
    /// A user's counter has this value from now on.
    case count(user: String, value: Int)
    case favorite(user: String, subject: String, isSet: Bool)
}

/// The screens that observers record.
enum RecordedScreen: String, Sendable {
    /// Its content is the key that each movie carries, which is empty before the first.
    case home
    /// Its content is its subjects, with nothing.
    case favorites
}

/// One thing that happened, with its time.
struct Event: Sendable {
    enum What: Sendable {
        case asked(writer: String, Write)
        /// - Parameter revision: the catalogue's, which a mark made; `nil` if the writer doesn't know it.
        case confirmed(writer: String, Write, revision: UInt64?)
        /// Rolled back by the client, with the reason that was given.
        case refused(writer: String, Write, reason: String)
        case shown(observer: String, user: String, RecordedScreen, Position, [String: String])
        case live(observer: String, isLive: Bool)
        /// A user's counter, as an observer shows it.
        case counted(observer: String, user: String, value: Int)
        /// A favorite as shown by the device that was just told of its confirmation.
        case readBack(device: String, user: String, subject: String, isSet: Bool)
        case fault(String)
        /// From here until the next one: whether commits that are confirmed may be lost, as the database that has them
        /// is about to be given up.
        case mayLose(Bool)
        /// A process ended without having been asked to.
        case ended(process: String, status: String)
    }

    /// Seconds since the history began.
    var at: Double
    var what: What
}

/// Everything that happened in a round, oldest first.
struct History: Sendable {
    private(set) var events: [Event] = []
    /// How many events were left out, because there were too many.
    private(set) var omitted = 0
    let limit: Int

    /// - Parameter limit: the most events that it keeps.
    init(limit: Int) { self.limit = limit }

    mutating func append(_ what: Event.What, at seconds: Double) {
        guard events.count < limit else { return omitted += 1 }
        events.append(Event(at: seconds, what: what))
    }

    /// When commits may be lost: from the last backup, or the end of replication, until their database is given up.
    var losses: [ClosedRange<Double>] {
        var losses: [ClosedRange<Double>] = []
        var start: Double?
        for event in events {
            guard case .mayLose(let mayLose) = event.what else { continue }
            if mayLose {
                start = start ?? event.at
            } else if let began = start {
                losses.append(began...max(began, event.at))
                start = nil
            }
        }
        if let start { losses.append(start...Double.infinity) }
        return losses
    }
}
