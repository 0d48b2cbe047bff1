/// A layout rule on which `UICollectionViewCompositionalLayout`'s documentation is silent, as Marquee reads it.
/// `Docs/layout.md` lists the same sentences alongside the documented rules.
public enum LayoutAssumption: String, Hashable, Sendable, CaseIterable {
    case heightBeforeInsets
    case usualSurroundings
    case oneGroupToALine
    case nearlyFits
    case firstAlwaysStands
    case listMayStopInItsMiddle
    case emptyListOnce
    case lastGroupIsSpacedAsFull
    case bandsOutsideInsets
    case bandsInOrder
    case sideViewTakesNoWidth
    case offsetReservesNothing
    case pinnedUntilTheEnd
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
            "a group's fractional height is relative to the screen's, before the section's top and bottom insets"
        case .usualSurroundings:
            "unless an app says otherwise, a screen's sides are safe, its margins are 16 points, 20 from a width of 414 on, and its readable content is at most 672 wide"
        case .oneGroupToALine: "there is one group per line, even when it is narrower than half the section"
        case .nearlyFits:
            "an element fits if it is at most 0.001 points too long, so that three thirds fill a group however they round"
        case .firstAlwaysStands: "a group's first element is always placed, even if it is too long"
        case .listMayStopInItsMiddle:
            "a list may stop midway, and the next group starts over with its first element"
        case .emptyListOnce: "a list whose elements take no space along the axis is laid out once"
        case .lastGroupIsSpacedAsFull:
            "a group that isn't full has the flexible spacings of a full one; in a group with a count there is nothing left to share"
        case .bandsOutsideInsets:
            "headers and footers are outside the section's top and bottom insets: header, top inset, groups, bottom inset, footer"
        case .bandsInOrder: "several headers or footers are stacked in layout order"
        case .sideViewTakesNoWidth:
            "a view at neither top nor bottom starts where the groups start and reserves height but no width"
        case .offsetReservesNothing: "an offset moves a header, footer or side view and reserves nothing"
        case .pinnedUntilTheEnd:
            "pinned views of a section are stacked in layout order, and the end of the section pushes them out"
        case .backgroundBehindEverything:
            "the background is as wide as the screen and reaches from the header's top to the footer's bottom: section insets don't shrink it"
        case .emptySectionKeepsItsFrame: "a section without items keeps its headers, footers and insets"
        case .badgeOnShrunkItem: "a badge is anchored inside the item's frame minus the item's insets"
        case .badgeInTheMiddle: "without edges, or with opposite ones, a badge is centred"
        case .restsAtLeadingInset:
            "groups come to rest where the first one's leading edge is, at the section's leading inset"
        case .pageIsTheScreen: "a page is as wide as the screen, not as the section minus its insets"
        case .endsAreCentred:
            "the first and last groups are centred too, so offsets start before 0 and end beyond the content"
        case .coasting: "a scroll coasts for 0.499 times its speed in points per second"
        case .offsetsAreMirrored: "in right-to-left layouts, offsets of badges and headers are mirrored as well"
        case .measuredItem: "an item's estimated dimension becomes the measured one"
        case .measuredGroup:
            "a group's estimated dimension stays until an item inside it has been measured in that dimension; then it is the content's"
        case .fractionFollows: "a fraction of a measured dimension follows it"
        case .estimatesDecideFit:
            "where a group is estimated along its axis, estimates decide how many elements fit"
        }
    }
}
