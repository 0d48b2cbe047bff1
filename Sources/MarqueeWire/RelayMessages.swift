package import MarqueeModel

// Messages between relays and servers alone; see PROTOCOL.md, 27.

/// Introduces a guest: somebody on whose behalf a relay acts.
package struct IntroduceRequest: Hashable, Sendable {
    /// Chosen by the relay; rises within a connection, so that a repeated introduction has a new number.
    package var guest: UInt32
    /// The user that the guest claims to be.
    package var user: String?
    package var token: String?
    package var clientID: [UInt8]
    /// Where the guest connects from, for logs.
    package var address: String?
    /// Whether the relay keeps the views of guests with different claims apart.
    package var distinguishesClaims: Bool

    package init(
        guest: UInt32, user: String?, token: String?, clientID: [UInt8], address: String?,
        distinguishesClaims: Bool = true
    ) {
        self.guest = guest
        self.user = user
        self.token = token
        self.clientID = clientID
        self.address = address
        self.distinguishesClaims = distinguishesClaims
    }
}

package struct IntroduceAnswer: Hashable, Sendable {
    /// `nil` for an anonymous guest.
    package var user: String?
    /// The guest's permissions, as people write them.
    package var scopes: [String]
    /// How much longer the guest's identity is valid; `nil`: until it is revoked.
    package var identityMilliseconds: UInt64?
    /// The newest position, with that of the user's log.
    package var cut: Cut
    package var lastMutation: UInt64?
    /// A number for the claims of the identity: guests of one user with the same number see the same content. 0 for no
    /// claims.
    package var claims: UInt64

    package init(
        user: String?, scopes: [String], identityMilliseconds: UInt64?, cut: Cut, lastMutation: UInt64?,
        claims: UInt64 = 0
    ) {
        self.user = user
        self.scopes = scopes
        self.identityMilliseconds = identityMilliseconds
        self.cut = cut
        self.lastMutation = lastMutation
        self.claims = claims
    }
}

/// Reports that a relay has been sent everything up to a position in a user's log.
package struct UserProgress: Hashable, Sendable {
    package var user: String
    package var epoch: UInt64
    package var revision: UInt64

    package init(user: String, epoch: UInt64, revision: UInt64) {
        self.user = user
        self.epoch = epoch
        self.revision = revision
    }
}

/// The variants that a view shows.
package struct PlanAnswer: Hashable, Sendable {
    package struct Section: Hashable, Sendable {
        package var section: String
        package var handle: UInt64
        /// Whether its content is private to the requesting user.
        package var isPrivate: Bool

        package init(section: String, handle: UInt64, isPrivate: Bool) {
            self.section = section
            self.handle = handle
            self.isPrivate = isPrivate
        }
    }

    package var screen: String
    package var locale: String
    /// The position for which the plan holds.
    package var cut: Cut
    /// The handle of the view's own list.
    package var viewHandle: UInt64
    package var sections: [Section]
    /// Whether the plan is the same for all users.
    package var isShared: Bool

    package init(
        screen: String, locale: String, cut: Cut, viewHandle: UInt64, sections: [Section], isShared: Bool
    ) {
        self.screen = screen
        self.locale = locale
        self.cut = cut
        self.viewHandle = viewHandle
        self.sections = sections
        self.isShared = isShared
    }
}

/// Views that a relay has to plan again.
package struct Replan: Hashable, Sendable {
    /// Whether all views have to be planned again.
    package var isAll: Bool
    /// Families of screens with such views, such as `home`, `episode`.
    package var families: [String]
    /// Handles of the lists of views whose screens are gone.
    package var gone: [UInt64]

    package init(isAll: Bool = false, families: [String] = [], gone: [UInt64] = []) {
        self.isAll = isAll
        self.families = families
        self.gone = gone
    }
}
