import MarqueeMirror
public import MarqueeModel

/// Sorts, which all readers of a screen share. Windows belong to each reader; see `ScreenUpdates`.
extension MarqueeClient {
    /// Shows a section of a screen that is being read in another of its orders, to all readers. The order is remembered
    /// with the screen.
    ///
    /// Returns when the server shows the order. Without a connection it returns immediately, and the server receives
    /// the request as soon as there is one. Nothing changes if this throws.
    /// - Parameters:
    ///   - sort: the id of one of `ScreenSection.sorts`; `nil` for the section's default.
    ///   - section: the section's id.
    ///   - screen: a screen that is being read.
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
    /// - Throws: the same errors as `setSort`; `limit`.
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

    /// Runs a request on the engine and waits for its one answer.
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

/// Windows, which belong to this reader.
extension ScreenUpdates {
    /// Sets the number of a section's items that this sequence's own loops show; other readers of the screen keep
    /// theirs.
    ///
    /// Returns when the items are there, or immediately without a connection. Nothing changes if this throws.
    /// - Parameters:
    ///   - window: the number of items; the server rounds it up to one of the section's steps. `nil` for the window
    ///     that all readers share.
    ///   - section: the section's id.
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

    /// Shows rows anywhere in a section that allows it, such as those around the row on screen. It applies to all
    /// readers, because a section has only one such window. Rows that are already shown aren't sent again, and the
    /// window moves with its item.
    ///
    /// Returns when the rows are there, or immediately without a connection. Nothing changes if this throws.
    /// - Parameters:
    ///   - section: the section's id.
    ///   - item: the id of an item. If the item is removed later, the window stays near the rows that were shown when
    ///     this was called. If no row is shown yet, and there is no such item, the section's `error` says so.
    ///   - value: instead of an item, a value of the first field that the order sorts by, such as a letter: the window
    ///     is placed at the first row with that value, or after it. Without either, it begins at the first row.
    ///   - before: the most rows before that one.
    ///   - after: the most rows after it.
    /// - Throws: `unknownOptions` when the screen has no such section, when its windows can't be anywhere or can't be
    ///   that large, or for a value that is invalid for its field; `notShown` when no loop runs over this sequence;
    ///   `limit`.
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
    /// so no row is doubled or missing, however the list changes meanwhile.
    ///
    /// Returns when the rows are there, or immediately without a connection.
    /// - Throws: the same errors as `setWindow(_:of:)`.
    /// - Returns: `false` if everything the section can show is already shown.
    @discardableResult
    public func showMore(of section: String) async throws(ClientError) -> Bool {
        try await client.showMore(of: section, on: id, owner: ObjectIdentifier(owner))
    }

    /// Changes this sequence's windows, and sorts for all readers.
    package func setOptions(_ options: [SectionOptions]) async throws(ClientError) {
        try await client.setOptions(options, on: id, owner: ObjectIdentifier(owner))
    }
}
