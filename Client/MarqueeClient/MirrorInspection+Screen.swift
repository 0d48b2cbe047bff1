import MarqueeMirror
public import MarqueeModel

extension MirrorInspection {
    /// A screen as a mirror has it, with the pending changes of collections: what a client using that mirror would show
    /// without a connection. Sections whose bytes are damaged are left out.
    ///
    /// - Parameters:
    ///   - id: which screen.
    ///   - path: the path of the SQLite file.
    ///   - locale: the language that the screen was requested in when it was stored.
    /// - Returns: `nil` if the mirror has no such screen in that language.
    public static func screen(_ id: ScreenID, locale: String, at path: String) throws(ClientError) -> Screen? {
        do throws(MirrorError) {
            let mirror = try Mirror(readOnlyAt: path)
            defer { mirror.close() }
            let viewID = ViewID(screen: id.name, locale: locale)
            guard let view = try mirror.view(viewID) else { return nil }
            let collections = try mirror.view(ViewID(screen: ScreenID.collectionSet.name, locale: locale))
            return ScreenState(
                id: viewID, content: SyncCore.ViewContent(list: view.list, sections: view.sections), cut: view.cut,
                asOf: view.savedAt, origin: .store,
                collections: try CollectionsOverlay(confirmed: collections?.sections ?? [:], waitingIn: mirror),
                damaged: view.damaged
            ).screen
        } catch {
            throw ClientError(mirror: error)
        }
    }
}
