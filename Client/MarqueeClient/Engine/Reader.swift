import MarqueeModel

/// A reader of a screen, with its own windows.
struct Reader {
    var observer: any ScreenObserver
    /// The sequence that it iterates over, by which the app refers to it.
    var owner: ObjectIdentifier?
    /// The number of items of a section that this reader wants, where it differs from the shared window.
    var windows: [String: Int] = [:]
    /// The options it brought, which may be the server's reason for refusing the screen; none once they were accepted.
    var untested: [SectionOptions] = []
    /// When it began to wait for its first state and for its first current one, in milliseconds of the monotonic clock;
    /// `nil` once they have arrived.
    var awaitsFirst: UInt64?
    var awaitsLive: UInt64?
    /// The last content it was shown with fewer items than other readers see.
    var narrowed: Shown?

    /// The content of a narrowed state, to recognize one in which nothing has changed for this reader.
    struct Shown: Hashable {
        private let title: String
        private let sections: [String]
        private let sums: [UInt64]
        private let collections: UInt64
        private let isLive: Bool
        private let isStored: Bool
        private let lastError: ClientError?
        private let sectionErrors: [String: ClientError]
        private let damaged: [String]

        init(_ state: ScreenState) {
            title = state.title
            sections = state.sections.map(\.id)
            sums = state.sections.map(\.shown.sum)
            collections = state.collections.stamp
            isLive = state.origin == .live
            isStored = state.isStored
            lastError = state.lastError
            sectionErrors = state.sectionErrors
            damaged = state.damaged
        }
    }

    /// Shows a state with this reader's own windows, unless nothing has changed within them.
    /// - Parameter steps: the number of items it sees of sections in which other readers see more.
    mutating func show(_ state: ScreenState, steps: [String: UInt32]) {
        guard !steps.isEmpty else {
            narrowed = nil
            return observer.put(state)
        }
        let state = state.narrowed(to: steps)
        let shown = Shown(state)
        guard shown != narrowed else { return }
        narrowed = shown
        observer.put(state)
    }
}

extension SectionHead {
    /// The step that shows a wanted window, chosen as the server chooses it: the smallest that is at least as large, or
    /// the largest; the smallest if none is wanted. `nil` if the section has no steps.
    func step(for window: Int?) -> UInt32? {
        guard let window else { return windows.min() }
        return windows.filter { Int($0) >= window }.min() ?? windows.max()
    }

    /// The next larger step; `nil` if everything available is shown.
    func step(after window: UInt32) -> UInt32? {
        total > window ? windows.filter { $0 > window }.min() : nil
    }
}
