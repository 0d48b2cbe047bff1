import MarqueeCatalogue
import MarqueeDiff
package import MarqueeModel
import MarqueeScreens
import MarqueeStore
package import MarqueeWire

extension HubSource {
    package func preview(
        _ documents: [[UInt8]], by identity: Identity, of screen: GetScreenRequest, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<PublicationPreview, Status>) -> Void
    ) {
        lanes.previewing.submit(for: connection) { [self] in
            completion(Result { () throws(Status) in try preview(documents, by: identity, of: screen) })
        }
    }

    /// A screen as another reader would see it, or at another moment. Called on the lane that previews.
    func preview(_ request: GetScreenRequest, for claims: Claims) throws(Status) -> GetScreenAnswer {
        var screens = try currentScreens()
        if let name = request.draft { screens = try self.screens(screens, with: try knownDraft(name)) }
        var answer = try screens.preview(request, for: claims)
        answer.draft = request.draft
        return answer
    }

    /// Called on the lane that previews, so that only one publication at a time holds a copy of the screens.
    private func preview(
        _ documents: [[UInt8]], by identity: Identity, of screen: GetScreenRequest
    ) throws(Status) -> PublicationPreview {
        let changes = try changes(of: documents, by: identity)
        return try currentScreens().preview(changes, of: screen, for: identity.claims)
    }
}

extension Status {
    /// A client wants to follow a screen as another reader sees it, or at another moment.
    static let previewFollowed = Status(
        .invalidArgument, reason: "READER_INVALID", remedy: .fatal,
        message: "a screen as another reader sees it, or at another moment, can be read once, and not followed")
}

extension Screens {
    /// Evaluates a screen before and after a commit. Takes as long as the commit itself would occupy the hub.
    fileprivate func preview(
        _ changes: [Change], of screen: GetScreenRequest, for claims: Claims
    ) throws(Status) -> PublicationPreview {
        var now = self
        let before = try now.state(of: screen, for: claims)
        guard var next = try after(changes) else { return PublicationPreview(states: (before, before), bytes: 0) }
        let after = try next.state(of: screen, for: claims)
        return PublicationPreview(states: (before, after), bytes: Self.bytes(from: before, to: after))
    }

    /// A screen without a user's own sections.
    private mutating func state(of request: GetScreenRequest, for claims: Claims) throws(Status) -> FeedState {
        let plan = try imaginedPlan(of: request, for: claims)
        var versions: [String: Version?] = [:]
        for section in plan.sections {
            versions.updateValue(try evaluate(section.variant, members: []).version, forKey: section.id)
        }
        return FeedState(
            screen: plan.view.screen, locale: plan.view.locale, cut: Cut(catalogue: head, user: nil),
            list: try evaluate(view: plan.view).version, versions: versions)
    }

    /// The same screen as an answer.
    fileprivate mutating func preview(
        _ request: GetScreenRequest, for claims: Claims
    ) throws(Status) -> GetScreenAnswer {
        let plan = try imaginedPlan(of: request, for: claims)
        var bytes = 0
        func content(_ version: Version, _ section: String) throws(Status) -> ScreenContent {
            bytes += version.leastAnswerBytes
            guard bytes <= Int(WireLimits.server.answerBytes) else { throw .answerTooLarge(bytes: bytes) }
            return ScreenContent(id: section, head: version.head, items: Array(version.items), sum: version.sum)
        }
        let view = try content(try evaluate(view: plan.view).version, "")
        var sections: [ScreenContent] = []
        for section in plan.sections {
            var shown = try content(try evaluate(section.variant, members: []).version, section.id)
            shown.audiences = audiences(of: section.variant)
            sections.append(shown)
        }
        var answer = GetScreenAnswer(
            screen: plan.view.screen, locale: plan.view.locale, cut: Cut(catalogue: head, user: nil), view: view,
            sections: sections)
        answer.isPreview = true
        return answer
    }

    /// The plan of a screen for a reader without a user, at the moment given in the request.
    private mutating func imaginedPlan(
        of request: GetScreenRequest, for claims: Claims
    ) throws(Status) -> ViewPlan {
        let plan = try plan(
            screen: request.screen, locale: request.locale, parameters: request.sections, user: nil,
            claims: request.reader.isEmpty ? claims : try imagine(request.reader))
        if let moment = request.at { travel(to: moment) }
        return plan
    }

    /// The bytes that a server would send to a client, as patches or whole sections.
    private static func bytes(from before: FeedState, to after: FeedState) -> Int {
        let library = VersionLibrary()
        let known = Dictionary(before.sections.map { ($0.place.id, $0.version) }) { first, _ in first }
        let pairs =
            [(before.list, after.list)]
            + after.sections.map { ((known[$0.place.id] ?? nil) ?? .empty, $0.version ?? .empty) }
        var bytes = 0
        for (index, (old, new)) in pairs.enumerated() where old.sum != new.sum {
            let content = UInt64(index + 1)
            library.record(old, of: content)
            switch library.route(to: new, of: content, from: (old.sum, content), since: CutChange()) {
            case .patch(let shared), .whole(let shared): bytes += shared.encoded.bytes
            case .lost, .stage: bytes += library.whole(new, of: content, since: CutChange())?.bytes ?? 0
            }
        }
        return bytes
    }
}
