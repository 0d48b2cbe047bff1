import MarqueeMirror
public import MarqueeModel

/// Sorts and windows, for all readers of a screen.
extension MarqueeClient {
    /// Changes the sort or window of sections of a screen that is being shown, for all its readers. They are remembered
    /// with the screen.
    ///
    /// Returns when the server shows the screen so; without a connection at once, and the server is asked as soon as
    /// there is one. Nothing changes if this throws.
    /// - Throws: `unknownOptions` when the screen has no such section, sort or window; `notShown` when nobody reads the
    ///   screen; `limit`.
    public func setOptions(_ options: [SectionOptions], for screen: ScreenID) async throws(ClientError) {
        try await setOptions(options, on: viewID(screen), owner: nil)
    }

    /// Shows sections of a screen with the server's default sort and window again, to all its readers.
    /// - Parameters:
    ///   - screen: one that is being read.
    ///   - sections: by id; `nil` for all of them.
    /// - Throws: `notShown` when nobody reads the screen.
    public func resetOptions(for screen: ScreenID, sections: [String]? = nil) async throws(ClientError) {
        try await resetOptions(sections, on: viewID(screen), owner: nil)
    }

    /// Shows the next page of a section to all readers of a screen: the next larger step of its window. The rows shown
    /// stay live, so no row is ever there twice or missing, however the list moves meanwhile.
    ///
    /// Returns when the rows are there; without a connection at once.
    /// - Returns: `false` if everything the section can show is shown already.
    /// - Throws: `unknownOptions` when the screen has no such section; `notShown` when nobody reads the screen.
    @discardableResult
    public func showMore(of section: String, on screen: ScreenID) async throws(ClientError) -> Bool {
        try await showMore(of: section, on: viewID(screen), owner: nil)
    }

    func viewID(_ screen: ScreenID) -> ViewID { ViewID(screen: screen.name, locale: configuration.locale) }

    func setOptions(
        _ options: [SectionOptions], on id: ViewID, owner: ObjectIdentifier?
    ) async throws(ClientError) {
        try await answered { engine, answer in engine.setOptions(options, on: id, for: owner, answer: answer) }
    }

    func resetOptions(
        _ sections: [String]?, on id: ViewID, owner: ObjectIdentifier?
    ) async throws(ClientError) {
        try await answered { engine, answer in engine.resetOptions(sections, on: id, for: owner, answer: answer) }
    }

    func showMore(
        of section: String, on id: ViewID, owner: ObjectIdentifier?
    ) async throws(ClientError) -> Bool {
        try await answer { engine, answer in
            do throws(ClientError) {
                let isMore = try engine.showMore(of: section, on: id, for: owner) { answer($0.map { true }) }
                if !isMore { answer(.success(false)) }
            } catch {
                answer(.failure(error))
            }
        }
    }

    private func answered(
        _ ask: @escaping @Sendable (ClientEngine, @escaping ClientEngine.OptionsAnswer) -> Void
    ) async throws(ClientError) {
        try await answer { engine, answer in ask(engine) { answer($0) } }
    }

    /// Asks the engine for something that it answers later, once.
    func answer<Value: Sendable>(
        _ ask:
            @escaping @Sendable (
                ClientEngine, @escaping @Sendable (Result<Value, ClientError>) -> Void
            ) -> Void
    ) async throws(ClientError) -> Value {
        let result: Result<Value, ClientError> = await withCheckedContinuation { continuation in
            enqueue {
                ask($0) { continuation.resume(returning: $0) }
            } otherwise: {
                continuation.resume(returning: .failure($0))
            }
        }
        return try result.get()
    }
}

/// Sorts and windows, for this reader.
extension ScreenUpdates {
    /// Changes the windows of this sequence's own loops; other readers of the screen keep theirs. A sort is changed for
    /// all of them.
    /// - Throws: as `MarqueeClient.setOptions(_:for:)` does.
    public func setOptions(_ options: [SectionOptions]) async throws(ClientError) {
        try await client.setOptions(options, on: id, owner: ObjectIdentifier(owner))
    }

    /// Shows sections with the server's default sort and window again.
    /// - Parameter sections: by id; `nil` for all of them.
    public func resetOptions(sections: [String]? = nil) async throws(ClientError) {
        try await client.resetOptions(sections, on: id, owner: ObjectIdentifier(owner))
    }

    /// Shows the next page of a section to this reader; see `MarqueeClient.showMore(of:on:)`.
    /// - Returns: `false` if everything the section can show is shown already.
    @discardableResult
    public func showMore(of section: String) async throws(ClientError) -> Bool {
        try await client.showMore(of: section, on: id, owner: ObjectIdentifier(owner))
    }
}
