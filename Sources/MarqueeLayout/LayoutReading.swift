/// A rule of layout on which the documentation of `UICollectionViewCompositionalLayout` is silent, so that this is how
/// Marquee reads it. `Docs/layout.md` lists the same sentences beside the rules that are documented.
public enum LayoutReading: String, Hashable, Sendable, CaseIterable {
    case heightBeforeInsets
    case oneGroupToALine
    case nearlyFits
    case firstAlwaysStands
    case listMayStopInItsMiddle
    case emptyListOnce
    case bandsOutsideInsets
    case bandsInOrder
    case sideViewTakesNoWidth
    case offsetReservesNothing
    case backgroundBehindEverything
    case emptySectionKeepsItsFrame
    case badgeOnShrunkItem
    case badgeInTheMiddle
    case restsAtLeadingInset
    case pageIsTheScreen
    case endsAreCentred
    case coasting
    case offsetsAreMirrored
    case measuredItem
    case measuredGroup
    case fractionFollows
    case estimatesDecideFit

    /// The rule, as one sentence without a full stop.
    public var sentence: String {
        switch self {
        case .heightBeforeInsets:
            "a group's fraction of height is one of the screen's, before the section's top and bottom insets"
        case .oneGroupToALine: "there is one group to a line, also when it is narrower than half the section"
        case .nearlyFits:
            "an element fits if it is at most 0.001 points too long, so that three thirds fill a group however they round"
        case .firstAlwaysStands: "the first element of a group always stands, even if it is too long"
        case .listMayStopInItsMiddle:
            "a list may stop in its middle, and the next group begins again with its first element"
        case .emptyListOnce: "a list whose elements take no room along the axis is laid out once"
        case .bandsOutsideInsets:
            "headers and footers stand outside the section's top and bottom insets: header, top inset, groups, bottom inset, footer"
        case .bandsInOrder: "several headers or footers stand below each other in the order of the layout"
        case .sideViewTakesNoWidth:
            "what stands at neither top nor bottom begins where the groups begin, reserves height and no width"
        case .offsetReservesNothing: "an offset moves a header, footer or side view and reserves nothing"
        case .backgroundBehindEverything:
            "the background is as wide as the screen and reaches from the header's top to the footer's bottom: section insets don't shrink it"
        case .emptySectionKeepsItsFrame: "a section without items keeps its headers, footers and insets"
        case .badgeOnShrunkItem: "a badge is held inside the item's frame less the item's insets"
        case .badgeInTheMiddle: "without an edge, or between opposite ones, a badge is in the middle"
        case .restsAtLeadingInset:
            "groups come to rest where the first one's leading edge is, at the section's leading inset"
        case .pageIsTheScreen: "a page is as wide as the screen, not as the section less its insets"
        case .endsAreCentred:
            "the first and the last group are centred too, so offsets begin before 0 and end beyond the content"
        case .coasting: "a movement coasts for 0.499 times its speed in points per second"
        case .offsetsAreMirrored: "from right to left, offsets of badges and headers are mirrored as well"
        case .measuredItem: "an item's estimated side becomes the measured one"
        case .measuredGroup:
            "a group's estimated side stays until an item inside it was measured on that side; then it is that of the content"
        case .fractionFollows: "what is a fraction of a measured side follows it"
        case .estimatesDecideFit:
            "where a group's side along its axis is estimated, estimates decide how many elements fit"
        }
    }
}
