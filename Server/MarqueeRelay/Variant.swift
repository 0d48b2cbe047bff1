import MarqueeDiff
import MarqueeModel
import MarqueeServer
import MarqueeWire

extension RelayCore {
    /// A variant that is subscribed upstream, or was before the connection was lost.
    struct Variant {
        /// A variant's content: a section of a screen in one locale, or a view's own list.
        struct Name: Hashable, CustomStringConvertible {
            var screen: String
            /// Empty for a view's own list.
            var section: String
            var locale: String

            var description: String { "section '\(section)' of \(screen)" }
        }

        let name: Name
        /// The user to whom it belongs, if it is private.
        let user: String?
        /// The view whose plan named it last.
        var plan: PlanKey
        /// The newest version that has arrived.
        var held: CurrentVersion?
        /// The position since which the staged version is current, as far as its parts named it.
        var stagedSince: CutChange?
        /// The version that is published; `nil` before it first is.
        var current: CurrentVersion?
        /// Whether `current` may be older than the published position, because the variant was given up and hasn't
        /// arrived again.
        var isOutdated = false
        var subscribers = 0
        /// Its subscription on this connection.
        var subscription: UInt32?
        /// Whether it has joined on this connection, so that `held` is the version that upstream's patches start from.
        var hasJoined = false
        /// The version whose manifest was sent upstream; a staged patch may start from it.
        var described: Version?
        /// Whether the held version isn't offered for resuming, because what upstream sent for the variant was refused.
        var offersNothing = false

        init(_ name: Name, user: String?, plan: PlanKey) {
            self.name = name
            self.user = user
            self.plan = plan
        }

        /// Returns the version that a join names: the held, the staged or the empty one.
        /// - Parameter staged: the version that was staged, if any.
        /// - Returns: `nil` if the join names a version that isn't here.
        func current(with join: Join, _ staged: Version?, content: UInt64) -> CurrentVersion? {
            if let held, held.version.sum == join.viewSum { return held }
            let version = staged.flatMap { $0.sum == join.viewSum ? $0 : nil }
            guard let version = version ?? (join.viewSum == Version.empty.sum ? .empty : nil) else { return nil }
            // A staged patch from a manifest names no position; then the join's counts.
            let since = CutChange(
                catalogueRevision: stagedSince?.catalogueRevision ?? join.cut.catalogueRevision,
                userRevision: stagedSince?.userRevision)
            return CurrentVersion(version: version, since: since, content: content)
        }

        /// Forgets what belonged to the lost connection.
        mutating func left() {
            subscription = nil
            hasJoined = false
            stagedSince = nil
            described = nil
        }
    }

    /// The variants that are subscribed upstream, or were before the connection was lost.
    struct Variants {
        private(set) var all: [UInt64: Variant] = [:]
        /// Variants without subscribers, the one idle for longest first.
        var idle = AgeQueue<UInt64>()

        /// The number of variants with subscribers.
        var shown: Int { all.count - idle.count }

        subscript(handle: UInt64) -> Variant? {
            get { all[handle] }
            _modify { yield &all[handle] }
        }

        /// Marks a variant as idle: it has no subscribers any more.
        mutating func rest(_ handle: UInt64, at now: UInt64) {
            idle.append(handle, bytes: all[handle]?.held?.version.items.encodedSize ?? 0, at: now)
        }

        mutating func remove(_ handle: UInt64) -> Variant? {
            idle.remove(handle)
            return all.removeValue(forKey: handle)
        }

        /// Forgets what belonged to the lost connection.
        mutating func leave() { for handle in all.keys { all[handle]?.left() } }
    }

    /// The views and variants that must arrive again after a lost connection before anything is published.
    struct Returning {
        /// Views whose plans haven't been confirmed yet.
        var plans: Set<PlanKey> = []
        /// The plans that were known before the connection was lost, by view.
        let before: [PlanKey: PlanAnswer]
        /// Variants that have yet to arrive again.
        private var variants: Set<UInt64> = []
        /// Families of screens with views that can't be shown as before.
        var lost: Set<String> = []
        /// Variants that were given up: the next publication goes ahead without them.
        private(set) var givenUp: Set<UInt64> = []
        /// Users whose logs may have moved since the connection was lost.
        var users: Set<String> = []
        /// Whether the connection is live and the return has begun.
        private let hasBegun: Bool

        var isOver: Bool { hasBegun && plans.isEmpty && variants.isEmpty }

        /// Creates the state of a connection that isn't live yet.
        init() { (before, hasBegun) = ([:], false) }

        /// - Parameters:
        ///   - plans: the views that are shown.
        ///   - before: the plans that were known before the connection was lost.
        ///   - variants: all variants that are shown.
        init(plans: Set<PlanKey>, before: [PlanKey: PlanAnswer], variants: Set<UInt64>) {
            self.plans = plans
            self.before = before
            self.variants = variants
            hasBegun = true
        }

        /// Also waits for this variant.
        mutating func expect(_ handle: UInt64) {
            variants.insert(handle)
            givenUp.remove(handle)
        }

        /// Stops waiting for a variant that has arrived or is gone.
        mutating func forget(_ handle: UInt64) {
            variants.remove(handle)
            givenUp.remove(handle)
        }

        /// Stops waiting for a variant, which stays as it was shown last.
        mutating func giveUp(_ handle: UInt64) {
            variants.remove(handle)
            givenUp.insert(handle)
        }

        /// Called when everything that has arrived is published.
        mutating func settle() {
            users = []
            lost = []
            givenUp = []
        }
    }
}
