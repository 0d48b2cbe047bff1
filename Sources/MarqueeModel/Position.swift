/// A position in two logs, compared component by component. Opaque to apps.
public struct Cut: Hashable, Sendable {
    /// Random, generated when the catalogue's log is created or restored.
    package var catalogueEpoch: UInt64
    /// The revision of the catalogue's log.
    package var catalogueRevision: UInt64
    /// Random, generated when the user's log is created or restored; 0 without a user.
    package var userEpoch: UInt64
    /// The revision of the user's log; 0 without a user.
    package var userRevision: UInt64

    /// A position in both logs.
    package init(
        catalogueEpoch: UInt64 = 0, catalogueRevision: UInt64 = 0, userEpoch: UInt64 = 0, userRevision: UInt64 = 0
    ) {
        self.catalogueEpoch = catalogueEpoch
        self.catalogueRevision = catalogueRevision
        self.userEpoch = userEpoch
        self.userRevision = userRevision
    }

    /// Whether `seen` is ahead in either log. Positions of different epochs aren't comparable.
    package func isBehind(_ seen: Cut) -> Bool {
        (catalogueEpoch == seen.catalogueEpoch && catalogueRevision < seen.catalogueRevision)
            || (userEpoch == seen.userEpoch && userRevision < seen.userRevision)
    }

    /// Whether both are positions in the same epochs of the two logs.
    package func hasSameEpochs(as other: Cut) -> Bool {
        catalogueEpoch == other.catalogueEpoch && userEpoch == other.userEpoch
    }

    /// Whether everything up to `other` is contained: same epochs, and no component behind.
    package func contains(_ other: Cut) -> Bool {
        hasSameEpochs(as: other)
            && catalogueRevision >= other.catalogueRevision && userRevision >= other.userRevision
    }
}

/// The components of a cut that a frame carries; an absent one has not changed.
package struct CutChange: Hashable, Sendable {
    package var catalogueEpoch: UInt64?
    package var catalogueRevision: UInt64?
    package var userEpoch: UInt64?
    package var userRevision: UInt64?

    package init(
        catalogueEpoch: UInt64? = nil, catalogueRevision: UInt64? = nil, userEpoch: UInt64? = nil,
        userRevision: UInt64? = nil
    ) {
        self.catalogueEpoch = catalogueEpoch
        self.catalogueRevision = catalogueRevision
        self.userEpoch = userEpoch
        self.userRevision = userRevision
    }

    /// All four components.
    package init(_ cut: Cut) {
        self.init(
            catalogueEpoch: cut.catalogueEpoch, catalogueRevision: cut.catalogueRevision, userEpoch: cut.userEpoch,
            userRevision: cut.userRevision)
    }
}

extension Cut {
    /// The position after a frame that carries `change`. Within an epoch, a revision never goes back.
    package func advanced(by change: CutChange) -> Cut {
        var next = self
        if let epoch = change.catalogueEpoch, epoch != catalogueEpoch {
            next.catalogueEpoch = epoch
            next.catalogueRevision = change.catalogueRevision ?? 0
        } else if let revision = change.catalogueRevision {
            next.catalogueRevision = max(catalogueRevision, revision)
        }
        if let epoch = change.userEpoch, epoch != userEpoch {
            next.userEpoch = epoch
            next.userRevision = change.userRevision ?? 0
        } else if let revision = change.userRevision {
            next.userRevision = max(userRevision, revision)
        }
        return next
    }
}

extension CutChange {
    /// Returns the two changes combined. Both are from one server's lifetime, so their epochs don't differ.
    package func advanced(by later: CutChange) -> CutChange {
        func newer(_ first: UInt64?, _ second: UInt64?) -> UInt64? {
            guard let first, let second else { return first ?? second }
            return max(first, second)
        }
        return CutChange(
            catalogueEpoch: later.catalogueEpoch ?? catalogueEpoch,
            catalogueRevision: newer(catalogueRevision, later.catalogueRevision),
            userEpoch: later.userEpoch ?? userEpoch, userRevision: newer(userRevision, later.userRevision))
    }
}

extension CutChange {
    /// Both changes combined; a component in both takes its higher value.
    package func joined(_ other: CutChange) -> CutChange {
        func higher(_ a: UInt64?, _ b: UInt64?) -> UInt64? {
            guard let a else { return b }
            return b.map { max(a, $0) } ?? a
        }
        return CutChange(
            catalogueEpoch: other.catalogueEpoch ?? catalogueEpoch,
            catalogueRevision: higher(catalogueRevision, other.catalogueRevision),
            userEpoch: other.userEpoch ?? userEpoch, userRevision: higher(userRevision, other.userRevision))
    }
}
