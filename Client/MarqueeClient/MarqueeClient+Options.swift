import MarqueeMirror
public import MarqueeModel

/// Sorts, which all readers of a screen share. Windows are each reader's own; see `ScreenUpdates`.
extension MarqueeClient {
    /// Shows a section of a screen that is being read in another of its orders, to all readers. The order is remembered
    /// with the screen.
    ///
    /// Returns when the server shows it so; without a connection at once, and the server is asked as soon as there is
    /// one. Nothing changes if this throws.
    /// - Parameters:
    ///   - sort: one of `ScreenSection.sorts`, by its id; `nil` for the section's default.
    ///   - section: its id.
    ///   - screen: one that is being read.
    /// - Throws: `unknownOptions` when the screen has no such section or sort; `notShown` when nobody reads the screen.
    public func setSort(_ sort: String?, of section: String, on screen: ScreenID) async throws(ClientError) {
        if let sort {
            try await setOptions([SectionOptions(section: section, sort: sort)], for: screen)
        } else {
            let id = viewID(screen)
            try await answered { engine, answer in engine.resetSort(of: section, on: id, answer: answer) }
        }
    }

    /// Changes the sort or window of sections of a screen that is being shown, for all its readers.
    /// - Throws: as `setSort` does; `limit`.
    package func setOptions(_ options: [SectionOptions], for screen: ScreenID) async throws(ClientError) {
        try await setOptions(options, on: viewID(screen), owner: nil)
    }

    /// Shows the next page of a section to all readers of a screen; see `ScreenUpdates.showMore(of:)`.
    @discardableResult
    package func showMore(of section: String, on screen: ScreenID) async throws(ClientError) -> Bool {
        try await showMore(of: section, on: viewID(screen), owner: nil)
    }

    func viewID(_ screen: ScreenID) -> ViewID { ViewID(screen: screen.name, locale: configuration.locale) }

    func setOptions(
        _ options: [SectionOptions], on id: ViewID, owner: ObjectIdentifier?
    ) async throws(ClientError) {
        try await answered { engine, answer in engine.setOptions(options, on: id, for: owner, answer: answer) }
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

    fileprivate func answered(
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

/// Windows, which are this reader's own.
extension ScreenUpdates {
    /// Shows at most so many items of a section to this sequence's own loops; other readers of the screen keep theirs.
    ///
    /// Returns when the items are there; without a connection at once. Nothing changes if this throws.
    /// - Parameters:
    ///   - window: how many items; the server takes the next of the section's steps. `nil` for the window that all
    ///     readers share.
    ///   - section: its id.
    /// - Throws: `unknownOptions` when the screen has no such section; `notShown` when no loop runs over this sequence.
    public func setWindow(_ window: Int?, of section: String) async throws(ClientError) {
        if let window {
            try await setOptions([SectionOptions(section: section, window: window)])
        } else {
            try await client.answered { [id, owner] engine, answer in
                engine.resetWindow(of: section, on: id, for: ObjectIdentifier(owner), answer: answer)
            }
        }
    }

    /// Shows rows anywhere in a section that allows it, such as those around the one that is on screen: to all readers,
    /// as a list is at one place. Rows that are shown already aren't sent again, and the window goes along with its
    /// item.
    ///
    /// Returns when the rows are there; without a connection at once. Nothing changes if this throws.
    /// - Parameters:
    ///   - section: its id.
    ///   - item: the id of an item. Once it has gone, the window stays near to where the list is seen now. If nothing
    ///     of the list is seen yet, and there is no such item, the section's `error` says so.
    ///   - value: instead of an item, a value of the field that decides first about the order, such as a letter: the
    ///     first row with it, or after it. Without either, the window begins at the first row.
    ///   - before: how many rows before that one, at most.
    ///   - after: how many rows after it, at most.
    /// - Throws: `unknownOptions` when the screen has no such section, when its windows can't be anywhere or not be so
    ///   large, or for a value that its field can't have; `notShown` when no loop runs over this sequence; `limit`.
    public func setWindow(
        of section: String, around item: String? = nil, from value: String? = nil, before: Int = 0, after: Int
    ) async throws(ClientError) {
        guard let before = UInt32(exactly: before), let after = UInt32(exactly: after) else {
            throw ClientError(.limit, "a window has 0 rows or more before its anchor, and after it")
        }
        let place = WindowPlace(item: item, value: value, before: before, after: after)
        try await setOptions([SectionOptions(section: section, place: place)])
    }

    /// Shows the next page of a section to this reader: the next larger step of its window. The rows shown stay live,
    /// so no row is ever there twice or missing, however the list moves meanwhile.
    ///
    /// Returns when the rows are there; without a connection at once.
    /// - Throws: as `setWindow(_:of:)` does.
    /// - Returns: `false` if everything the section can show is shown already.
    @discardableResult
    public func showMore(of section: String) async throws(ClientError) -> Bool {
        try await client.showMore(of: section, on: id, owner: ObjectIdentifier(owner))
    }

    /// Changes windows of this sequence, and sorts of all readers.
    package func setOptions(_ options: [SectionOptions]) async throws(ClientError) {
        try await client.setOptions(options, on: id, owner: ObjectIdentifier(owner))
    }
}
