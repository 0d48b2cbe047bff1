public import Foundation
public import MarqueeClient

/// A notice about a screen, for a list to show in addition to its rows.
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
    /// How close to the end of a section an item that comes into view has to be for the next page to be requested.
    public static var pagingDistance: Int { 3 }

    /// The notice to show in addition to the rows; `nil` when the screen is live.
    public var notice: ScreenNotice? {
        switch phase {
        case .loading: .loading
        case .live: nil
        case .refused(let error) where sections.isEmpty: .unavailable(error)
        case .stored, .refused: .stored(asOf)
        }
    }

    /// Whether to call `showMore` for a section's next page now that one of its items has come into view. `false` if
    /// the section has no more items, or its next page has already been requested.
    /// - Parameters:
    ///   - section: the id of the section.
    ///   - index: the item's index in the section.
    public func wantsMore(of section: String, showing index: Int) -> Bool {
        guard let section = self[section: section], section.canShowMore, !changingSections.contains(section.id)
        else { return false }
        return index >= section.items.count - Self.pagingDistance
    }
}
