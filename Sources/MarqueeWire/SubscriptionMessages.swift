package import MarqueeModel

package struct SectionParameters: Hashable, Sendable {
    package var section: String
    package var sort: String?
    package var window: UInt32?
    /// A window anywhere in the list.
    package var place: WindowPlace?

    package init(section: String, sort: String? = nil, window: UInt32? = nil, place: WindowPlace? = nil) {
        self.section = section
        self.sort = sort
        self.window = window
        self.place = place
    }
}

package struct Resume: Hashable, Sendable {
    package var cut: Cut
    package var viewSum: UInt64
    /// The sections held and their sums, in the view's order.
    package var sections: [HeldSection]

    package init(cut: Cut, viewSum: UInt64, sections: [HeldSection]) {
        self.cut = cut
        self.viewSum = viewSum
        self.sections = sections
    }
}

package struct HeldSection: Hashable, Sendable {
    package var section: String
    package var sum: UInt64

    package init(section: String, sum: UInt64) {
        self.section = section
        self.sum = sum
    }
}

package struct Subscribe: Hashable, Sendable {
    package var subscription: UInt32
    package var generation: UInt32
    package var screen: String
    package var locale: String?
    package var sections: [SectionParameters]
    package var resume: Resume?
    /// From relays: one variant that a plan has named. The screen is empty then.
    package var handle: UInt64?

    package init(
        subscription: UInt32, generation: UInt32 = 0, screen: String, locale: String? = nil,
        sections: [SectionParameters] = [], resume: Resume? = nil, handle: UInt64? = nil
    ) {
        self.subscription = subscription
        self.generation = generation
        self.screen = screen
        self.locale = locale
        self.sections = sections
        self.resume = resume
        self.handle = handle
    }
}

package struct SubscriptionError: Hashable, Sendable {
    /// The generation of an error that ends a subscription, even while a change of parameters is under way. No change
    /// has this generation.
    package static let wholeSubscription: UInt32 = 0

    package var subscription: UInt32
    package var generation: UInt32
    package var status: Status
    package var section: String?

    package init(subscription: UInt32, generation: UInt32, status: Status, section: String? = nil) {
        self.subscription = subscription
        self.generation = generation
        self.status = status
        self.section = section
    }
}

package struct Binding: Hashable, Sendable {
    package var section: String
    package var handle: UInt64
    /// `nil`: the section could not be updated and keeps its content.
    package var sum: UInt64?

    package init(section: String, handle: UInt64, sum: UInt64?) {
        self.section = section
        self.handle = handle
        self.sum = sum
    }
}

package struct Join: Hashable, Sendable {
    package var subscription: UInt32
    package var generation: UInt32
    package var viewHandle: UInt64
    package var viewSum: UInt64
    package var sections: [Binding]
    package var cut: CutChange
    package var screen: String
    package var locale: String

    package init(
        subscription: UInt32, generation: UInt32, viewHandle: UInt64, viewSum: UInt64, sections: [Binding],
        cut: CutChange, screen: String, locale: String
    ) {
        self.subscription = subscription
        self.generation = generation
        self.viewHandle = viewHandle
        self.viewSum = viewSum
        self.sections = sections
        self.cut = cut
        self.screen = screen
        self.locale = locale
    }
}
