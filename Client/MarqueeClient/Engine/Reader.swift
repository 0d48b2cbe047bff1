import MarqueeModel

/// A reader of a screen, and the windows that are its own.
struct Reader {
    var observer: any ScreenObserver
    /// The sequence that it iterates over, by which the app names it.
    var owner: ObjectIdentifier?
    /// How many items of a section this reader wants, where it isn't what all readers share.
    var windows: [String: Int] = [:]
    /// Whether it brought options, which may be why the server refuses the screen.
    var hasOptions = false
    /// When it began to wait for its first state and for its first current one, until they came. Milliseconds of the
    /// monotonic clock.
    var awaitsFirst: UInt64?
    var awaitsLive: UInt64?
    /// The content that it was shown last with fewer items than others see.
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
    /// - Parameter steps: how many items of a section it sees, where others see more.
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
    /// The step with which a wanted window is shown: the smallest that is at least as large, or the largest, as the
    /// server chooses it; the smallest if none is wanted. `nil` if the section has no steps.
    func step(for window: Int?) -> UInt32? {
        guard let window else { return windows.min() }
        return windows.filter { Int($0) >= window }.min() ?? windows.max()
    }

    /// The next larger step; `nil` if all there is to show is shown.
    func step(after window: UInt32) -> UInt32? {
        total > window ? windows.filter { $0 > window }.min() : nil
    }
}
