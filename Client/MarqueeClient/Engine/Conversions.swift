import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire

extension ClientError {
    init(mirror error: MirrorError) {
        switch error.code {
        case .ownedByOther: self.init(.mirrorInUse, error.message)
        case .none: self.init(.noMirror, error.message)
        case .diskFull: self.init(.diskFull, error.message)
        case .closed: self.init(.closed, error.message)
        case .limit: self.init(.limit, error.message)
        case .corrupt, .foreignFile, .belongsToOther, .io: self.init(.mirrorUnusable, error.message)
        }
    }
}

extension SyncCore.ViewContent {
    /// The part of a mirror's view that can be resumed from.
    init?(_ stored: StoredContent) {
        if stored.shown == nil, stored.bases.isEmpty { return nil }
        self.init(
            list: stored.shown?.list ?? .empty, sections: stored.shown?.sections ?? [:], damaged: stored.bases)
    }
}

extension SectionOptions {
    var parameters: SectionParameters { SectionParameters(section: section, sort: sort, window: window) }
}

extension Screen {
    /// A screen that was asked for, outside the mirror.
    init(_ answer: GetScreenAnswer, collections: CollectionsOverlay) {
        let content = SyncCore.ViewContent(
            list: Version(head: answer.view.head, items: answer.view.items),
            sections: Dictionary(answer.sections.map { ($0.id, Version(head: $0.head, items: $0.items)) }) { a, _ in a }
        )
        let state = ScreenState(
            id: ViewID(screen: answer.screen, locale: answer.locale), content: content, cut: answer.cut, asOf: 0,
            origin: .live, collections: collections, damaged: [], lastError: nil)
        self = state.screen
    }
}

extension ServerOffer {
    init(_ answer: DescribeAnswer) {
        self.init(
            screens: answer.screens.map { screen in
                OfferedScreen(
                    pattern: screen.pattern, title: screen.title, example: screen.example.map { ScreenID($0) },
                    sections: screen.sections.map {
                        OfferedScreen.Section(
                            id: $0.id, kind: $0.kind, sorts: $0.sorts, windows: $0.windows,
                            placeholders: $0.placeholders)
                    })
            }, locales: answer.locales)
    }
}

extension ServerHealth {
    init(_ answer: HealthAnswer) {
        self.init(
            state: answer.state, revision: answer.cut, sessions: answer.sessions, subscriptions: answer.subscriptions,
            uptime: .milliseconds(Int64(clamping: answer.uptimeMilliseconds)),
            encodes: answer.encodes, deliveries: answer.deliveries, version: answer.version,
            records: answer.records)
    }
}

extension SearchPage {
    init(_ answer: SearchAnswer, favorites: CollectionOverlay) {
        self.init(
            queryID: answer.queryID, items: answer.items.map { ScreenItem($0, favorites) },
            total: answer.total, isTotalCapped: answer.isTotalCapped, page: answer.page, pages: answer.pages,
            revision: answer.cut)
    }
}

extension Cut {
    /// The position that contains an effect: what the answer names, and nothing of the other log.
    func advanced(to change: CutChange) -> Cut {
        Cut(
            catalogueEpoch: change.catalogueEpoch ?? catalogueEpoch, catalogueRevision: change.catalogueRevision ?? 0,
            userEpoch: change.userEpoch ?? userEpoch, userRevision: change.userRevision ?? 0)
    }
}

extension MirrorStatus {
    init(_ mirror: some MirrorEngine) throws(MirrorError) {
        self.init(
            cluster: mirror.identity.cluster, user: mirror.identity.user,
            views: try mirror.views().map { view in
                View(
                    screen: ScreenID(view.id.screen), locale: view.id.locale, revision: view.cut, asOf: view.savedAt,
                    sections: view.sections, items: view.items, bytes: view.bytes)
            },
            pending: try mirror.outbox().map { entry in
                let state: PendingChange.State
                switch entry.state {
                case .pending: state = .pending
                case .sent: state = .sent
                case .answered: state = .answered
                }
                return PendingChange(
                    collection: entry.collection, subject: Subject(entry.subject), on: entry.on, value: entry.value,
                    state: state, since: entry.createdAt)
            }, rejected: try mirror.rejections().map(RejectedChange.init),
            incidents: try mirror.incidents().map { incident in
                MirrorIncident(
                    kind: incident.kind.rawValue, screen: incident.screen.isEmpty ? nil : ScreenID(incident.screen),
                    message: incident.message, at: incident.at)
            })
    }
}

extension RejectedChange {
    init(_ mutation: RejectedMutation) {
        self.init(
            collection: mutation.collection, subject: Subject(mutation.subject), on: mutation.on, value: mutation.value,
            reason: mutation.reason, since: mutation.createdAt)
    }
}
