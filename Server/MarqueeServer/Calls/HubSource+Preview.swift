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
        previewing.submit(for: connection) { [self] in
            completion(Result { () throws(Status) in try preview(documents, by: identity, of: screen) })
        }
    }

    /// Called by the lane that previews, so that one publication at a time holds a copy of the screens.
    private func preview(
        _ documents: [[UInt8]], by identity: Identity, of screen: GetScreenRequest
    ) throws(Status) -> PublicationPreview {
        let changes = try PublicationReader.changes(of: documents, by: identity, types: positions.types)
        return try currentScreens().preview(changes, of: screen, for: identity.claims)
    }
}

extension Screens {
    /// Evaluates a screen before and after a commit. Takes as long as the commit would keep the hub.
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
        let plan = try plan(
            screen: request.screen, locale: request.locale, parameters: request.sections, user: nil, claims: claims)
        var versions: [String: Version?] = [:]
        for section in plan.sections {
            versions.updateValue(try evaluate(section.variant, members: []).version, forKey: section.id)
        }
        return FeedState(
            screen: plan.view.screen, locale: plan.view.locale, cut: Cut(catalogue: head, user: nil),
            list: try evaluate(view: plan.view).version, versions: versions)
    }

    /// The bytes of the way that a server chooses for a client.
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
