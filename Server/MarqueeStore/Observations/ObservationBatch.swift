package import MarqueeModel
import MarqueeTypes

/// Observations of one section that a client has reported, with the details that the server adds.
package struct ObservationBatch: Hashable, Sendable {
    package var screen: String
    package var section: String
    package var observations: [ItemEvent]
    /// The client's user; `nil` for an anonymous client.
    package var user: String?
    /// Whether the user's name is kept.
    package var namesUser: Bool
    /// The names of the screen's audiences that the user is in.
    package var audiences: [String]
    /// The server's revision of the catalogue.
    package var revision: UInt64

    package init(
        screen: String, section: String, observations: [ItemEvent], user: String?, namesUser: Bool = false,
        audiences: [String] = [], revision: UInt64
    ) {
        self.screen = screen
        self.section = section
        self.observations = observations
        self.user = user
        self.namesUser = namesUser
        self.audiences = audiences
        self.revision = revision
    }
}

/// An observation that is kept until it is delivered and forgotten.
package struct ObservedRow: Hashable, Sendable {
    /// Rises, with gaps. A new log, such as after a restore, continues above the positions of the previous one.
    package var position: UInt64
    package var screen: String
    package var section: String
    package var observation: ItemEvent
    package var audiences: [String]
    /// The server's revision of the catalogue when the observation arrived.
    package var revision: UInt64
    /// `nil` unless the operator wants to know the users.
    package var user: String?

    init(
        position: UInt64, screen: String, section: String, observation: ItemEvent, audiences: [String],
        revision: UInt64, user: String?
    ) {
        self.position = position
        self.screen = screen
        self.section = section
        self.observation = observation
        self.audiences = audiences
        self.revision = revision
        self.user = user
    }

    /// The bytes charged for it: its texts, and a fixed amount for the rest.
    var bytes: Int {
        let texts = [screen, section, observation.item, observation.action, user ?? ""] + audiences
        return texts.reduce(128) { $0 + $1.utf8.count }
    }

    /// One line of NDJSON, without the line break.
    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            func number(_ name: String, _ value: some BinaryInteger) {
                writer.name(name)
                writer.word("\(value)")
            }
            func text(_ name: String, _ value: String) {
                writer.name(name)
                writer.string(value)
            }
            number("position", position)
            text("kind", observation.kind.name)
            text("screen", screen)
            text("section", section)
            text("item", observation.item)
            number("place", observation.place)
            number("at", observation.at)
            if observation.kind == .seen { number("for", observation.duration) }
            if observation.kind == .action { text("action", observation.action) }
            number("shown", observation.revision)
            number("revision", revision)
            writer.name("audiences")
            writer.list { writer in for name in audiences { writer.string(name) } }
            if let user { text("user", user) }
        }
        return writer.text
    }
}

/// The end of the log of observations, and the log's size.
struct ObservationHead: Hashable {
    /// The position of the newest observation.
    var position: UInt64
    /// The bytes of all observations that are kept.
    var bytes: Int

    /// The head of a new log. At less than a million observations a second, no earlier log has got this far.
    /// - Parameter now: milliseconds since 1970.
    init(madeAt now: UInt64) { self.init(position: min(now, ItemEvent.latest) * 1_000, bytes: 0) }

    init(position: UInt64, bytes: Int) {
        self.position = position
        self.bytes = bytes
    }
}

/// A log from which operators collect observations.
package protocol ObservationLog {
    /// The observations after a position, in order, at most `limit`.
    func observations(after position: UInt64, limit: Int) throws(StoreError) -> [ObservedRow]

    /// Forgets the observations up to a position, all of which have been delivered.
    /// - Returns: how many.
    func forgetObservations(through position: UInt64) throws(StoreError) -> Int
}

extension StoreTransaction {
    /// Keeps a whole batch, or none of it if there is no room; the client then sends it again under another number.
    /// Either outcome is remembered as the answer, so a batch that arrives twice under one number isn't kept twice.
    mutating func keep(_ batch: ObservationBatch, limits: StoreLimits) throws -> StoreOutcome {
        for (what, name, limit) in [
            ("a screen", batch.screen, ScreenID.maximumLength), ("a section", batch.section, ItemEvent.nameBytes),
        ] {
            if let refusal = CatalogueBounds.refusal(of: name, what, limit: limit) { return .refused(refusal) }
        }
        guard (1...ItemEvent.perReport).contains(batch.observations.count) else {
            return .refused("a report has 1 to \(ItemEvent.perReport) observations, not \(batch.observations.count)")
        }
        for observation in batch.observations {
            var names = [("an item", observation.item)]
            if observation.kind == .action { names.append(("an action", observation.action)) }
            for (what, name) in names {
                if let refusal = CatalogueBounds.refusal(of: name, what, limit: ItemEvent.nameBytes) {
                    return .refused(refusal)
                }
            }
            guard observation.at <= ItemEvent.latest else {
                return .refused("an observation is dated after the year 9999")
            }
        }
        var head = try observationHead()
        var rows: [ObservedRow] = []
        for observation in batch.observations {
            head.position += 1
            let row = ObservedRow(
                position: head.position, screen: batch.screen, section: batch.section, observation: observation,
                audiences: batch.audiences, revision: batch.revision, user: batch.namesUser ? batch.user : nil)
            head.bytes += row.bytes
            rows.append(row)
        }
        guard head.bytes <= limits.observationBytes else {
            return .done(revision: head.position - UInt64(rows.count), changed: false)
        }
        try keep(rows, head: head)
        return .done(revision: head.position, changed: true)
    }
}
