@_spi(Admin) import MarqueeClient
import MarqueeModel

/// Follows a screen as it would be with a draft.
///
/// A server evaluates a draft only when it is asked to, so this looks whether the draft or the catalogue has moved,
/// which costs a server little, and asks for the screen again only then.
struct DraftFollower {
    /// The pause between two looks.
    static let pause = Duration.seconds(2)

    private let client: MarqueeClient
    private let screen: ScreenID
    private let options: [SectionOptions]
    private let draft: String

    /// The state that the screen depends on.
    private struct Mark: Equatable {
        var revision: Cut
        var drafts: [String]
    }

    private var known: Mark?
    private var last: Screen?

    init(_ client: MarqueeClient, _ screen: ScreenID, _ options: [SectionOptions], draft: String) {
        self.client = client
        self.screen = screen
        self.options = options
        self.draft = draft
    }

    /// Waits for the next state.
    /// - Returns: `nil` once the draft has been published or dropped.
    mutating func next() async throws -> ScreenUpdate? {
        while true {
            do throws(ClientError) {
                if let update = try await look() { return update }
            } catch {
                // Whoever follows it has seen it, so it has ended since.
                if last != nil, error.status?.reason == "DRAFT_UNKNOWN" { return nil }
                // Without a server it waits for one.
                guard last != nil, error.status == nil, error.code != .closed else { throw error }
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// - Returns: `nil` if nothing has moved.
    private mutating func look() async throws(ClientError) -> ScreenUpdate? {
        let mark = Mark(revision: try await client.health().revision, drafts: try await client.drafts())
        guard mark != known else { return nil }
        let now = try await client.fetchScreen(screen, options: options, draft: draft)
        defer { (known, last) = (mark, now) }
        return ScreenUpdate(now, after: last)
    }
}
