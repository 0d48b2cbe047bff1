public import MarqueeModel

/// Names of version 0.1, kept for one version.
extension MarqueeClient {
    /// Renamed: `fetchScreen(_:options:source:)`.
    @available(*, deprecated, renamed: "fetchScreen(_:options:)")
    public func get(_ screen: ScreenID, options: [SectionOptions] = []) async throws(ClientError) -> Screen {
        try await fetchScreen(screen, options: options)
    }

    /// Renamed: `setOptions(_:for:)`.
    @available(*, deprecated, message: "Use setOptions(_:for:), which says what the server refuses")
    public func show(_ options: [SectionOptions], on screen: ScreenID) async {
        try? await setOptions(options, for: screen)
    }

    /// Renamed: `setFavorite(_:for:)`.
    @available(*, deprecated, renamed: "setFavorite(_:for:)")
    public func setFavorite(_ subject: Subject, _ on: Bool) async throws(ClientError) {
        try await setFavorite(on, for: subject)
    }
}
