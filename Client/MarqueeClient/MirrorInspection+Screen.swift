import MarqueeMirror
public import MarqueeModel

extension MirrorInspection {
    /// A screen as a mirror has it, with the favorites that wait in it: what a client on that mirror would show
    /// without a connection. Sections whose bytes are damaged are left out.
    ///
    /// - Parameters:
    ///   - path: of the SQLite file.
    ///   - locale: the language that was asked for when the screen was stored.
    /// - Returns: `nil` where the mirror has no such screen in that language.
    public static func screen(_ id: ScreenID, locale: String, at path: String) throws(ClientError) -> Screen? {
        do throws(MirrorError) {
            let mirror = try Mirror(readOnlyAt: path)
            defer { mirror.close() }
            let viewID = ViewID(screen: id.name, locale: locale)
            guard let view = try mirror.view(viewID) else { return nil }
            let favorites = try mirror.view(ViewID(screen: ScreenID.favoriteSet.name, locale: locale))
            let confirmed = favorites?.sections.values.first?.items.map(\.subject) ?? []
            return ScreenState(
                id: viewID, content: SyncCore.ViewContent(list: view.list, sections: view.sections), cut: view.cut,
                asOf: view.savedAt, origin: .store,
                favorites: try FavoriteOverlay(confirmed: confirmed, waitingIn: mirror), damaged: view.damaged
            ).screen
        } catch {
            throw ClientError(mirror: error)
        }
    }
}
