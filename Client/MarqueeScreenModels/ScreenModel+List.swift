public import Foundation
public import MarqueeClient

/// A notice about a screen, for a list to show besides its rows.
public enum ScreenNotice: Hashable, Sendable {
    /// Nothing has arrived yet.
    case loading
    /// There is nothing to show, and the server refuses the screen.
    case unavailable(ClientError)
    /// The content shown was current at this time; `nil` if that isn't known.
    case stored(Date?)
}

/// Decisions that are the same for lists of every kind.
@available(iOS 17, tvOS 17, watchOS 10, *)
extension ScreenModel {
    /// How near to the end of a section an item has to come into view for the next page to be asked for.
    public static var pagingDistance: Int { 3 }

    /// The notice to show besides the rows; `nil` when the screen is live.
    public var notice: ScreenNotice? {
        switch phase {
        case .loading: .loading
        case .live: nil
        case .refused(let error) where sections.isEmpty: .unavailable(error)
        case .stored, .refused: .stored(asOf)
        }
    }

    /// Whether to ask for a section's next page now that one of its items has come into view: `showMore` brings it. A
    /// section without more has none, and one that is asked for already is not asked again.
    /// - Parameters:
    ///   - section: the id of the section.
    ///   - index: of the item in it.
    public func wantsMore(of section: String, showing index: Int) -> Bool {
        guard let section = self[section: section], section.canShowMore, !changingSections.contains(section.id)
        else { return false }
        return index >= section.items.count - Self.pagingDistance
    }
}
