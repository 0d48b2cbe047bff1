package import MarqueeMirror
import MarqueeModel

/// The sorts and windows that screens are shown with. A sort belongs to the screen: the connection has one subscription
/// for it. A window belongs to all its readers, or to one of them.
extension ClientEngine {
    /// Called when the server has answered a request for options.
    typealias OptionsAnswer = @Sendable (Result<Void, ClientError>) -> Void

    /// Shows sections of a view with other options to all its readers.
    package func setOptions(_ options: [SectionOptions], on id: ViewID) {
        guard watched[id] != nil else { return }
        if let error = Self.refusal(of: id.screen, options) {
            return hub.send(.optionsRefused(ScreenID(id.screen), error))
        }
        choose(options, on: id)
        requestParameters(of: id)
    }

    /// Shows sections with other options, and calls back with the server's answer. Without a connection it calls back
    /// immediately, and the request is sent later.
    /// - Parameter owner: the owner of the readers that the windows are for; `nil` for all readers.
    func setOptions(
        _ options: [SectionOptions], on id: ViewID, for owner: ObjectIdentifier? = nil,
        answer: @escaping OptionsAnswer
    ) {
        if mirror.isCompanion { return answer(.failure(Self.notConnected)) }
        if let error = problem(with: options, on: id) { return answer(.failure(error)) }
        let before = steps(of: id)
        if let owner {
            for key in readers(of: id, owner) {
                for option in options {
                    guard let window = option.window else { continue }
                    watched[id]?.readers[key]?.windows[option.section] = window
                    // A reader's own window starts at the first item.
                    watched[id]?.asked.forget(\.place, of: option.section)
                    watched[id]?.remembered.forget(\.place, of: option.section)
                }
            }
            let common = options.map { SectionOptions(section: $0.section, sort: $0.sort, place: $0.place) }
            choose(common.filter { !$0.isEmpty }, on: id)
        } else {
            choose(options, on: id)
        }
        showWindows(of: id, before: before)
        request(id, answer)
    }

    /// Shows a section in its default order, to all readers.
    func resetSort(of section: String, on id: ViewID, answer: @escaping OptionsAnswer) {
        guard watched[id] != nil else { return answer(.failure(notShown(id))) }
        let standard = state(of: id)?.sections.first { $0.id == section }?.head.standardSort
        watched[id]?.asked.forgetSort(of: section, standard: standard)
        watched[id]?.remembered.forgetSort(of: section, standard: standard)
        request(id, answer)
    }

    /// Shows a section with the window that all readers share to those readers that had their own.
    /// - Parameter owner: the owner of these readers.
    func resetWindow(of section: String, on id: ViewID, for owner: ObjectIdentifier, answer: @escaping OptionsAnswer) {
        guard watched[id] != nil else { return answer(.failure(notShown(id))) }
        let before = steps(of: id)
        for key in readers(of: id, owner) { watched[id]?.readers[key]?.windows[section] = nil }
        showWindows(of: id, before: before)
        request(id, answer)
    }

    /// Shows a section with its next larger window.
    /// - Parameter owner: the owner of the readers to show more to; `nil` for all readers.
    /// - Returns: whether there was more to request; `answer` is not called if there wasn't.
    func showMore(
        of section: String, on id: ViewID, for owner: ObjectIdentifier? = nil, answer: @escaping OptionsAnswer
    ) throws(ClientError) -> Bool {
        guard let view = watched[id] else { throw notShown(id) }
        // There is no more of what isn't shown yet.
        guard let state = state(of: id) else { return false }
        guard let found = state.sections.first(where: { $0.id == section }) else {
            throw ClientError(.unknownOptions, "the screen '\(id.screen)' has no section '\(section)'")
        }
        let own = owner.flatMap { readers(of: id, $0).first }.flatMap { view.readers[$0] }
        let steps = own.map { view.steps(for: $0, in: state) } ?? [:]
        // A window that was requested but hasn't arrived counts: two calls in a row show two steps more.
        let asked = (own?.windows[section] ?? view.asked.first { $0.section == section }?.window).flatMap {
            found.head.step(for: $0)
        }
        guard let next = found.head.step(after: max(steps[section] ?? found.head.window, asked ?? 0)) else {
            return false
        }
        setOptions([SectionOptions(section: section, window: Int(next))], on: id, for: owner, answer: answer)
        return true
    }

    // MARK: - Requested options

    /// - Parameter owner: `nil` for all.
    private func readers(of id: ViewID, _ owner: ObjectIdentifier?) -> [ObjectIdentifier] {
        (watched[id]?.readers ?? [:]).filter { owner == nil || $0.value.owner == owner }.map(\.key)
    }

    private func notShown(_ id: ViewID) -> ClientError {
        if isStopped { return .closed }
        return ClientError(.notShown, "no loop reads the screen '\(id.screen)', so its options can't be changed")
    }

    /// Returns the problem with options, as far as it can be found without the server.
    private func problem(with options: [SectionOptions], on id: ViewID) -> ClientError? {
        guard let view = watched[id] else { return notShown(id) }
        if let error = Self.refusal(of: id.screen, options) { return error }
        guard let state = state(of: id), core.isLive(id), view.error == nil else { return nil }
        for option in options where !state.sections.contains(where: { $0.id == option.section }) {
            return ClientError(.unknownOptions, "the screen '\(id.screen)' has no section '\(option.section)'")
        }
        return nil
    }

    /// Records options for all readers.
    private func choose(_ options: [SectionOptions], on id: ViewID) {
        guard var view = watched[id] else { return }
        let state = state(of: id)
        for option in options {
            let index = view.asked.firstIndex { $0.section == option.section }
            var whole =
                index.map { view.asked[$0] } ?? view.remembered.first { $0.section == option.section }
                ?? SectionOptions(section: option.section)
            let head = state?.sections.first { $0.id == option.section }?.head
            whole.adopt(option, standard: head?.standardSort)
            if let head {
                whole.place?.keepNear(head, inOrder: whole.sort)
            }
            if let index { view.asked[index] = whole } else { view.asked.append(whole) }
            guard option.window != nil || option.place != nil else { continue }
            for key in view.readers.keys { view.readers[key]?.windows[option.section] = nil }
        }
        watched[id] = view
    }

    /// Requests the options wanted now from the server, if they have changed.
    func requestParameters(of id: ViewID) {
        guard let view = watched[id] else { return }
        run(core.setParameters(view.parameters, of: id))
    }

    private func request(_ id: ViewID, _ answer: @escaping OptionsAnswer) {
        requestParameters(of: id)
        guard core.isLive, core.isWanted(id), !core.isAnswered(id) else { return answer(.success(())) }
        guard optionsAnswers.values.reduce(0, { $0 + $1.count }) < Self.maximumCalls else {
            return answer(.failure(ClientError(.busy, "\(Self.maximumCalls) calls are already waiting")))
        }
        optionsAnswers[id, default: []].append(answer)
    }

    /// Called when the server has answered the latest request for a view's options, or won't on this connection.
    func settleOptions(of id: ViewID, _ result: Result<Void, ClientError>) {
        for answer in optionsAnswers.removeValue(forKey: id) ?? [] { answer(result) }
    }

    /// Called after a cut has been shown: views that joined with the newest options are as requested.
    func settleAnsweredOptions() {
        for id in optionsAnswers.keys.sorted() where core.isAnswered(id) { settleOptions(of: id, .success(())) }
    }
}

extension SectionHead {
    /// The id of the order that the section has unless another is chosen; `nil` if it offers none.
    fileprivate var standardSort: String? { sorts.first?.id }
}

extension [SectionOptions] {
    /// Removes one option of a section.
    fileprivate mutating func forget<Value>(_ option: WritableKeyPath<SectionOptions, Value?>, of section: String) {
        for index in indices where self[index].section == section { self[index][keyPath: option] = nil }
        removeAll(where: \.isEmpty)
    }

    /// - Parameter standard: the section's default order; `nil` if it isn't known.
    fileprivate mutating func forgetSort(of section: String, standard: String?) {
        for index in indices where self[index].section == section && self[index].sort ?? standard != standard {
            self[index].place = self[index].place?.inAnotherOrder
        }
        forget(\.sort, of: section)
    }
}

extension WindowPlace {
    /// Lets the window stay near the rows now shown, should its item be removed.
    /// - Parameter sort: the requested one; `nil` for the section's default.
    fileprivate mutating func keepNear(_ head: SectionHead, inOrder sort: String?) {
        guard item != nil, cursor == nil, !head.cursor.isEmpty, sort ?? head.standardSort ?? "" == head.sort else {
            return
        }
        cursor = head.cursor
    }
}
