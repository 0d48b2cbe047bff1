import MarqueeModel
import MarqueeWire

extension ClientEngine {
    /// A watched screen, or the set of collections.
    struct Watched {
        /// The options requested now.
        var asked: [SectionOptions]
        /// The options used last time, for sections without a request.
        var remembered: [SectionOptions] = []
        /// The options with which the server last showed it; `nil` until it has, and once it refuses them.
        private(set) var accepted: [SectionOptions]?
        var content: SyncCore.ViewContent?
        var cut = Cut()
        var asOf: Double = 0
        var damaged: [String] = []
        /// The reason why the view is stale or refused, until a cut updates it.
        var error: ClientError?
        /// The refusal of options that a new subscription leaves out: the error of the cut that shows it.
        var refusal: ClientError?
        /// Sections that the server could not update.
        var sectionErrors: [String: ClientError] = [:]
        /// Collections with members listed by some section.
        private(set) var listed: Set<CollectionName> = []
        /// The mirror's copy, while the mirror can't store the content shown.
        var unstored: Unstored?
        /// The last status given to observers.
        var lastStatus: ScreenStatus?
        var readers: [ObjectIdentifier: Reader] = [:]

        init(asked: [SectionOptions]) { self.asked = asked }

        mutating func show(_ new: SyncCore.ViewContent?) {
            content = new
            listed = Set(
                (new?.sections.values).map { $0.compactMap { BodyCodec.decodeSectionHead($0.head)?.listed } } ?? [])
        }

        /// Whether something on it looks different after changes of collections.
        func shows(_ changes: CollectionsOverlay.Changes) -> Bool {
            guard let content else { return false }
            return !listed.isDisjoint(with: changes.collections)
                || content.sections.values.contains { $0.items.contains { changes.stars.contains($0.subject) } }
        }

        /// The options that all readers share.
        private var shared: [SectionOptions] {
            asked + remembered.filter { option in !asked.contains { $0.section == option.section } }
        }

        /// The parameters to request from the server: for each section the largest window that a reader wants.
        var parameters: [SectionParameters] {
            var options = shared
            for section in Set(readers.values.flatMap(\.windows.keys)).sorted() {
                let index = options.firstIndex { $0.section == section }
                let common = index.flatMap { options[$0].window }
                // A reader without its own window sees the shared one, which by default is the smallest.
                let window = readers.values.compactMap { $0.windows[section] ?? common }.max()
                if let index {
                    if options[index].place == nil { options[index].window = window }
                } else {
                    options.append(SectionOptions(section: section, window: window))
                }
            }
            return options.map(\.parameters)
        }

        /// Records the options with which the server shows the view; its error is then that of those left out.
        /// - Parameter isAnswered: whether it was asked for no others since.
        mutating func accept(_ options: [SectionOptions], isAnswered: Bool) {
            accepted = options
            (error, refusal) = (refusal, nil)
            guard isAnswered else { return }
            for key in readers.keys { readers[key]?.untested = [] }
        }

        /// Leaves out the options remembered from earlier, unless the server has accepted them since.
        /// - Returns: whether there were any.
        mutating func leaveOutRemembered() -> Bool {
            guard accepted == nil, !remembered.isEmpty else { return false }
            remembered = []
            return true
        }

        /// Leaves out the options chosen since the server last showed the view; if it refuses those it showed, all.
        /// - Returns: whether there were any.
        mutating func leaveOutChosen() -> Bool {
            let refused = parameters
            if refused.isEmpty { return false }
            keep(accepted ?? [])
            if parameters == refused { keep([]) }
            accepted = nil
            return true
        }

        /// Adds a reader, whose options are known to be accepted if they change nothing that is.
        mutating func add(_ reader: Reader, as key: ObjectIdentifier) {
            let before = parameters
            readers[key] = reader
            let bringsOnlyWindows = reader.untested.count == reader.windows.count
            if accepted != nil, bringsOnlyWindows, parameters == before { readers[key]?.untested = [] }
        }

        /// Removes the readers with options that the server has not accepted yet, and restores what all readers share.
        mutating func removeUntested() -> [Reader] {
            let removed = readers.filter { !$0.value.untested.isEmpty }
            for key in removed.keys { readers[key] = nil }
            for option in removed.values.flatMap({ $0.untested }) where option.sort != nil || option.place != nil {
                guard let index = asked.firstIndex(where: { $0.section == option.section }) else { continue }
                let before = accepted?.first { $0.section == option.section }
                (asked[index].sort, asked[index].place) = (before?.sort, before?.place)
            }
            asked.removeAll(where: \.isEmpty)
            return Array(removed.values)
        }

        /// Applies the options that remain in force after others were refused. Readers keep their own windows, unless
        /// those were refused.
        mutating func keep(_ kept: [SectionOptions]) {
            let common = Dictionary(shared.map { ($0.section, $0.window) }) { first, _ in first }
            for key in readers.keys {
                let windows = readers[key]?.windows ?? [:]
                readers[key]?.windows = windows.filter { section, _ in
                    kept.contains { $0.section == section && $0.window != nil }
                }
            }
            let own = Set(readers.values.flatMap(\.windows.keys))
            asked = kept.map { option in
                guard own.contains(option.section) else { return option }
                return SectionOptions(
                    section: option.section, sort: option.sort, window: common[option.section] ?? nil as Int?,
                    place: option.place)
            }
            remembered = []
        }

        /// The window steps of a reader, for the sections in which another reader sees more.
        func steps(for reader: Reader, in state: ScreenState) -> [String: UInt32] {
            let sections = Set(readers.values.flatMap(\.windows.keys))
            if sections.isEmpty { return [:] }
            var steps: [String: UInt32] = [:]
            for section in state.sections where sections.contains(section.id) {
                let common = shared.first { $0.section == section.id }?.window
                guard let step = section.head.step(for: reader.windows[section.id] ?? common),
                    step < section.head.window
                else { continue }
                steps[section.id] = step
            }
            return steps
        }
    }

    /// A view that is shown from memory because the mirror could not store it.
    struct Unstored {
        /// The mirror's copy.
        var base: SyncCore.ViewContent?
        /// The parameters of the shown view.
        var parameters: [SectionParameters]
    }
}
