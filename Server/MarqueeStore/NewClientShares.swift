import Synchronization

/// Limits how many new clients each user and each address may add: some at once, and then one at a time. Without a
/// limit, one user who keeps making up client ids would make the store forget everybody else's clients.
struct NewClientShares {
    /// The most owners that are remembered; others aren't limited.
    static let maximumOwners = 100_000

    /// The most new clients of an owner at once, and the milliseconds until there may be one more.
    static func share(of owner: ShareOwner) -> (clients: UInt64, milliseconds: UInt64) {
        switch owner {
        // An app's users have a few devices, and reinstall it now and then.
        case .user: (256, 60_000)
        // Many users may share an address.
        case .origin: (16_384, 1_000)
        }
    }

    /// When each owner's share will be whole again, in milliseconds.
    private var restored: [ShareOwner: UInt64] = [:]
    private var swept: UInt64 = 0

    /// Takes one client from each owner's share, if all of them have one left.
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: whether all of them had.
    mutating func take(_ owners: [ShareOwner], now: UInt64) -> Bool {
        let next = owners.map { owner -> UInt64? in
            let (clients, milliseconds) = Self.share(of: owner)
            let whole = now + clients * milliseconds
            // If the clock was set back, the stored time could lie beyond a whole share.
            if let used = restored[owner], used > whole { restored[owner] = whole }
            let next = max(now, restored[owner] ?? now) + milliseconds
            return next <= whole ? next : nil
        }
        guard !next.contains(nil) else { return false }
        sweep(now: now)
        for (owner, time) in zip(owners, next) where restored[owner] != nil || restored.count < Self.maximumOwners {
            restored[owner] = time
        }
        return true
    }

    /// Forgets owners with a whole share, if there are many, at most once a second.
    private mutating func sweep(now: UInt64) {
        guard restored.count >= Self.maximumOwners, now / 1_000 != swept else { return }
        swept = now / 1_000
        restored = restored.filter { $0.value > now }
    }
}

/// The shares of a store's new clients. Thread safe.
final class NewClients: Sendable {
    private let shares = Mutex(NewClientShares())

    /// - Parameter now: milliseconds since 1970.
    func take(_ user: String?, _ origin: UInt64?, now: UInt64) -> Bool {
        shares.withLock { $0.take(ShareOwner.all(user: user, origin: origin), now: now) }
    }
}
