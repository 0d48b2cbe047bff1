#if os(Linux) || os(macOS)
    package import Synchronization

    /// An object that is made once and then shared, without a lock: servers read it for each frame they send.
    package typealias LazyReference = AtomicLazyReference
#else
    /// An object that is made once and then shared: replaces `Synchronization.AtomicLazyReference` on older systems.
    package final class LazyReference<Instance: AnyObject & Sendable>: Sendable {
        private let instance = Locked<Instance?>(nil)

        package init() {}

        /// The object, if there is one.
        package func load() -> Instance? { instance.withLock { $0 } }

        /// Keeps `new` if there is no object yet.
        ///
        /// - Returns: the one that is kept.
        package func storeIfNil(_ new: Instance) -> Instance {
            instance.withLock { instance in
                if let instance { return instance }
                instance = new
                return new
            }
        }
    }
#endif
