import MarqueeMirror
package import MarqueeModel

extension MirrorInspection {
    /// A screen in a mirror, with the pending changes of collections, as a client would show it without a connection.
    /// Damaged sections have only those items that are certainly as stored, and `damagedSections` names them.
    ///
    /// - Parameters:
    ///   - id: the screen.
    ///   - path: the path of the SQLite file.
    ///   - locale: the language in which the stored screen was requested.
    /// - Returns: `nil` if the mirror has no such screen in that language.
    /// - Throws: `mirrorDamaged` if none of it can be shown, among others.
    package static func screen(_ id: ScreenID, locale: String, at path: String) throws(ClientError) -> Screen? {
        do throws(MirrorError) {
            let mirror = try Mirror(readOnlyAt: path)
            defer { mirror.close() }
            let viewID = ViewID(screen: id.name, locale: locale)
            guard let stored = try mirror.content(of: viewID) else { return nil }
            guard let view = stored.shown else {
                throw MirrorError(.corrupt, "the mirror is damaged: its list of sections of \(viewID) can't be read")
            }
            let set = ScreenID.collectionSet.name
            let collections = try mirror.content(of: ViewID(screen: set, locale: locale))
            let confirmed = collections?.shown.map { $0.sections.merging($0.proven) { whole, _ in whole } } ?? [:]
            let lost =
                collections.map { $0.shown.map { view in view.damaged.map { "\(set)/\($0)" } } ?? [set] } ?? []
            return ScreenState(
                id: viewID, content: SyncCore.ViewContent(list: view.list, sections: view.sections), cut: view.cut,
                asOf: view.savedAt, origin: .store,
                collections: try CollectionsOverlay(confirmed: confirmed, waitingIn: mirror),
                damaged: view.damaged + lost, proven: view.proven
            ).screen
        } catch {
            throw ClientError(mirror: error)
        }
    }
}
