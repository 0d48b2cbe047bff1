import Foundation
import MarqueeCatalogue
import MarqueeModel

/// The inputs of a section's head besides its definition. While they are unchanged, so is the head.
struct Headline: Hashable, Sendable {
    var screenTitle: String
    /// The edition of the list that the section shows; `nil` if none.
    var edition: String?
    /// Number of items that the section could show.
    var total: Int
    /// Whether a limit leaves out more.
    var isCapped: Bool
    /// Number of items shown.
    var count: Int
    /// The place of the items in the list, if they are a window that can start anywhere.
    var place: ShownPlace?
    var fault: SectionFault?
    /// Whether the section is shown: at the catalogue's time, and with as many items as it has.
    var isShown: Bool

    /// Whether there is nothing to show and nothing wrong: a list that doesn't exist yet counts as empty.
    var isEmpty: Bool { count == 0 && (fault == nil || fault == .listIsMissing) }
}

extension SectionLayout? {
    /// A layout for no items that takes no room, so that viewers don't fall back to one that does.
    fileprivate var withoutSurroundings: SectionLayout {
        let whole = LayoutDimension.fractionalWidth(1)
        return SectionLayout(
            group: self?.group
                ?? .group(
                    axis: .vertical, width: whole, height: whole, insets: .zero, spacing: 0, count: nil,
                    children: [.item(width: whole, height: whole, insets: .zero, badges: [])]))
    }
}

/// The reason why a section shows nothing.
enum SectionFault: String, Hashable, Sendable {
    case recordIsGone = "RECORD_GONE"
    case listIsMissing = "LIST_MISSING"
    /// The item at which the window was anchored isn't in the list, and its former place isn't known.
    case anchorIsGone = "ANCHOR_GONE"
    /// Its items can't be sent: a body is too large, or two items have the same id. Other sections aren't affected.
    case unusable = "UNUSABLE"

    /// The text for people.
    func text(locale: String) -> String {
        let (english, korean) =
            switch self {
            case .listIsMissing: ("There is nothing to show here yet.", "아직 표시할 내용이 없습니다.")
            case .recordIsGone: ("This is not shown any more.", "더 이상 제공되지 않습니다.")
            case .anchorIsGone: ("This is not in the list any more.", "더 이상 목록에 없습니다.")
            case .unusable: ("This section can't be shown.", "표시할 수 없는 섹션입니다.")
            }
        let language = String(locale.prefix { $0 != "-" })
        return LocalizedText(["en": english, "ko": korean], fallback: english).text(in: language)
    }
}

extension Programme.Section {
    /// - Parameter key: one of this section's keys.
    func head(of headline: Headline, key: VariantKey) -> SectionHead {
        var head = SectionHead(kind: kind)
        let isHidden = !headline.isShown || (hidesWhenEmpty && headline.isEmpty)
        head.header = isHidden ? nil : header?.supplement(locale: key.locale, headline)
        head.supplements = isHidden ? [:] : supplements.mapValues { $0.supplement(locale: key.locale, headline) }
        // The available orders are actions in the header.
        head.header?.actions += sorts.map {
            ScreenAction(id: "sort", title: $0.title.text(in: key.locale), target: $0.id)
        }
        head.layout = isHidden ? layout.withoutSurroundings : layout
        head.sorts = sorts.map { SortOption(id: $0.id, title: $0.title.text(in: key.locale)) }
        head.sort = key.sort
        head.windows = windows
        head.window = key.window
        head.total = UInt32(clamping: headline.total)
        head.isTotalCapped = headline.isCapped
        head.hasMore = headline.total > headline.count + (headline.place?.first ?? 0)
        head.anywhere = anywhere ?? 0
        head.first = UInt32(clamping: headline.place?.first ?? 0)
        head.cursor = headline.place?.cursor ?? []
        head.error = isHidden ? nil : headline.fault?.text(locale: key.locale)
        head.errorReason = isHidden ? nil : headline.fault?.rawValue
        head.counting = isHidden ? nil : counting
        switch source {
        case .collection(let query): head.collection = query.name
        case .collectionSet(let collection): head.collection = collection.name
        default: break
        }
        head.footer = isHidden ? nil : footerSupplement(hasMore: head.hasMore, key: key, headline)
        return head
    }

    private func footerSupplement(hasMore: Bool, key: VariantKey, _ headline: Headline) -> Supplement? {
        switch footer {
        case nil: return nil
        case .fixed(let footer): return footer.supplement(locale: key.locale, headline)
        case .toggle(let more, let close):
            let canGrow = hasMore && key.window != windows.last
            let canShrink = key.window != windows.first
            guard canGrow || canShrink else { return nil }
            let title = (canGrow ? more : close).text(in: key.locale)
            return Supplement(title: title, actions: [ScreenAction(id: canGrow ? "more" : "close", title: title)])
        }
    }
}

extension Programme.Header {
    /// Placeholder for the screen's title in a header or footer.
    static let titlePlaceholder = "$title"
    /// Placeholder for the edition of a list.
    static let editionPlaceholder = "$edition"

    fileprivate func supplement(locale: String, _ headline: Headline) -> Supplement {
        // The title goes last because it may contain anything.
        let text = title.text(in: locale)
            .replacing(Programme.Header.editionPlaceholder, with: headline.edition ?? "")
            .replacing(Programme.Header.titlePlaceholder, with: headline.screenTitle)
            .trimmingCharacters(in: .whitespaces)
        return Supplement(
            title: text.clipped(to: TextBounds.title), actions: actions.map { $0.screenAction(locale: locale) })
    }
}

extension Programme.Action {
    func screenAction(locale: String) -> ScreenAction {
        ScreenAction(id: id, title: title.text(in: locale), target: target)
    }
}
