import MarqueeModel
import MarqueeWire

extension ClientEngine {
    /// A watched screen, or the set of collections.
    struct Watched {
        /// The options requested now.
        var asked: [SectionOptions]
        /// The options used last time, for sections without a request.
        var remembered: [SectionOptions] = []
        var content: SyncCore.ViewContent?
        var cut = Cut()
        var asOf: Double = 0
        var damaged: [String] = []
        /// Why the view is stale or refused, until a cut brings it up to date.
        var error: ClientError?
        /// Sections that the server could not update.
        var sectionErrors: [String: ClientError] = [:]
        /// Collections of which some section lists the members.
        private(set) var listed: Set<CollectionName> = []
        /// What the mirror holds of it while it couldn't store what is shown.
        var unstored: Unstored?
        /// The last status given to observers.
        var lastStatus: ScreenStatus?
        var observers: [ObjectIdentifier: any ScreenObserver] = [:]

        init(asked: [SectionOptions]) { self.asked = asked }

        mutating func show(_ new: SyncCore.ViewContent?) {
            content = new
            listed = Set(
                (new?.sections.values).map { $0.compactMap { BodyCodec.decodeSectionHead($0.head)?.listed } } ?? [])
        }

        /// Whether something on it looks different after changes of collections.
        func shows(_ changes: CollectionsOverlay.Changes) -> Bool {
            guard let content else { return false }
            return !listed.isDisjoint(with: changes.collections)
                || content.sections.values.contains { $0.items.contains { changes.stars.contains($0.subject) } }
        }

        var parameters: [SectionParameters] {
            let rest = remembered.filter { option in !asked.contains { $0.section == option.section } }
            return (asked + rest).map(\.parameters)
        }
    }

    /// A view that is shown from memory because the mirror could not store it.
    struct Unstored {
        /// The mirror's copy.
        var base: SyncCore.ViewContent?
        /// The parameters of what is shown.
        var parameters: [SectionParameters]
    }
}
