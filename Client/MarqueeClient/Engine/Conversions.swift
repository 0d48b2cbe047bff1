import Foundation
import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import MarqueeWire

extension ClientError {
    init(mirror error: MirrorError) {
        if error.code == .suspended {
            self = .suspended
        } else {
            self.init(Code(error.code), error.message, cause: error)
        }
    }
}

extension ClientError.Code {
    fileprivate init(_ code: MirrorError.Code) {
        self =
            switch code {
            case .ownedByOther: .mirrorInUse
            case .busy: .busy
            case .none: .noMirror
            case .diskFull: .diskFull
            case .closed: .closed
            case .suspended: .suspended
            case .limit: .limit
            case .belongsToOtherUser: .mirrorOfAnotherUser
            case .belongsToOtherCluster: .mirrorOfAnotherServer
            case .corrupt: .mirrorDamaged
            case .foreignFile: .notAMirror
            case .io: .mirrorUnusable
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
    /// Creates options from the form that the protocol and the mirror use, where no window may also be 0.
    init(_ section: String, sort: String?, window: UInt32?, place: WindowPlace?) {
        self.init(section: section, sort: sort, window: window.flatMap { $0 == 0 ? nil : Int($0) }, place: place)
    }

    init(_ parameters: SectionParameters) {
        self.init(parameters.section, sort: parameters.sort, window: parameters.window, place: parameters.place)
    }

    var parameters: SectionParameters {
        SectionParameters(section: section, sort: sort, window: window.map { UInt32(clamping: $0) }, place: place)
    }
}

extension Screen {
    /// Creates the state of a screen that was fetched once and isn't in the mirror.
    /// - Parameter asOf: when it was answered, in seconds since 1970.
    init(_ answer: GetScreenAnswer, collections: CollectionsOverlay, asOf: Double) {
        let content = SyncCore.ViewContent(
            list: Version(head: answer.view.head, items: answer.view.items),
            sections: Dictionary(answer.sections.map { ($0.id, Version(head: $0.head, items: $0.items)) }) { a, _ in a }
        )
        let state = ScreenState(
            id: ViewID(screen: answer.screen, locale: answer.locale), content: content, cut: answer.cut, asOf: asOf,
            origin: .live, collections: collections, damaged: [], lastError: nil)
        self = state.screen
        let audiences = Dictionary(answer.sections.map { ($0.id, $0.audiences) }) { first, _ in first }
        for index in sections.indices { sections[index].audiences = audiences[sections[index].id] ?? [] }
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
                            id: $0.id, kind: $0.kind, sorts: $0.sorts, windows: $0.windows.map { Int($0) },
                            placeholders: Int($0.placeholders), anywhere: Int($0.anywhere))
                    })
            }, locales: answer.locales)
    }
}

extension ServerHealth {
    init(_ answer: HealthAnswer) {
        self.init(
            state: answer.state, revision: answer.cut, sessions: Int(answer.sessions),
            subscriptions: Int(answer.subscriptions),
            uptime: .milliseconds(Int64(clamping: answer.uptimeMilliseconds)),
            encodes: answer.encodes, deliveries: answer.deliveries, version: answer.version,
            records: answer.records, staleness: answer.staleMilliseconds.map { .milliseconds(Int64(clamping: $0)) },
            unwritable: answer.unwritableMilliseconds.map { .milliseconds(Int64(clamping: $0)) })
        hasCounts = answer.hasCounts
    }
}

extension SearchPage {
    init(_ answer: SearchAnswer, favorites: CollectionOverlay) {
        self.init(
            items: answer.items.map { ScreenItem($0, favorites) },
            total: Int(answer.total), isTotalCapped: answer.isTotalCapped, page: Int(answer.page),
            pages: Int(answer.pages), revision: answer.cut, asOf: Date())
        facets = Dictionary(
            answer.facets.map { facet in
                (facet.field, facet.values.map { (value: $0.value, count: Int($0.count)) })
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension Cut {
    /// The position that contains an effect: the parts named by the answer, and none of the other log.
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
                    screen: ScreenID(view.id.screen), locale: view.id.locale, revision: view.cut,
                    asOf: Date(timeIntervalSince1970: view.savedAt),
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
                    collection: entry.collection, subject: Subject(entry.subject), isMember: entry.on,
                    value: entry.value,
                    state: state, createdAt: Date(timeIntervalSince1970: entry.createdAt))
            }, rejected: try mirror.rejections().map(RejectedChange.init),
            incidents: try mirror.incidents().map { incident in
                MirrorIncident(
                    kind: incident.kind.rawValue, screen: incident.screen.isEmpty ? nil : ScreenID(incident.screen),
                    message: incident.message, at: Date(timeIntervalSince1970: incident.at))
            })
    }
}

extension RejectedChange {
    init(_ mutation: RejectedMutation) {
        self.init(
            collection: mutation.collection, subject: Subject(mutation.subject), isMember: mutation.on,
            value: mutation.value, error: mutation.error, createdAt: Date(timeIntervalSince1970: mutation.createdAt))
    }
}

extension RejectedMutation {
    /// The reason for the rollback.
    var error: ClientError { ClientError(code.flatMap { ClientError.Code(name: $0) } ?? .changeRefused, reason) }
}
