package import MarqueeClient
package import MarqueeLayout
package import MarqueeModel

/// A screen laid out for a container: its elements, with their frames and contents. A value without any drawing.
///
/// The frames are those of `MarqueeLayout`, for both pictures and terminals. What an element shows is decided once,
/// here; how it looks is up to the renderer.
package struct ScreenPresentation: Sendable {
    /// The part of a screen to show, and how to show it.
    package struct Options: Hashable, Sendable {
        /// The visible part of the screen, in points.
        package var size: LayoutSize
        /// How far the screen is scrolled down.
        package var offset = 0.0
        /// How far sections are scrolled sideways, by their id.
        package var sectionOffsets: [String: Double] = [:]
        /// Shows everything below as well, however tall.
        package var isFullHeight = false
        package var isRightToLeft = false
        /// Shows running text in full.
        package var isExpanded = false

        package init(size: LayoutSize) { self.size = size }
    }

    /// A section, with the contents of its items.
    package struct Section: Sendable {
        package let id: String
        package let head: SectionHead
        /// The items that can be shown, in order.
        package let cards: [(id: String, card: Card)]
        /// How many items to expect while there are none.
        package let placeholders: Int
        package let layout: SectionLayout
        /// How it is shown if it comes without a layout.
        package let design: SectionDesign
        /// How far it is scrolled sideways.
        package let offset: Double
    }

    /// The message in the centre of a screen without any items.
    package struct Notice: Hashable, Sendable {
        package let text: String
        /// Whether it explains an error.
        package let isError: Bool
        package let symbol: Symbol
    }

    package let id: ScreenID
    package let title: String
    /// The words added to the screen's own, in its language.
    package let phrases: Phrases
    /// Points from the leading edge of the screen to its leading margin: the first items of most sections, and the
    /// words of full-width elements.
    package let leadingEdge: Double
    package let options: Options
    package let sections: [Section]
    package let layout: ScreenLayout
    /// The visible part of the screen, in the screen's coordinates.
    package let window: LayoutRect
    private let layoutSections: [ScreenLayout.Section]
    /// By section: points from the screen's leading edge to its first item, 0 at the edge itself; `nil` if not
    /// meaningful.
    private let sectionEdges: [Double?]

    /// - Parameter height: the height a card wants at a given width if its size is estimated; `nil` keeps the estimate.
    ///   Defaults to `CardDrawing`'s height.
    package init(_ screen: Screen, options: Options, height: ((Card, Double) -> Double?)? = nil) {
        id = screen.id
        let phrases = Phrases(locale: screen.locale)
        self.phrases = phrases
        title = screen.title
        self.options = options
        var drafts: [Section] = []
        var inputs: [ScreenLayout.Section] = []
        var edges: [Double?] = []
        for section in screen.sections {
            let shown = section.items.enumerated().compactMap { index, item in
                Card(item, at: index, of: section.head, phrases: phrases).map { (id: item.id, card: $0) }
            }
            var aligned = shown.map(\.card)
            aligned.align()
            let cards = zip(shown, aligned).map { (id: $0.id, card: $1) }
            let design = SectionDesign(of: section.head.kind, hasOnlyWords: section.items.haveOnlyWords)
            let measures = SectionDesign.Measures.screen(width: options.size.width)
            var layout = section.head.layout ?? design.layout(for: section.head, in: measures)
            // An error is shown in the header, so a section with an error gets a header.
            if section.head.error != nil, !layout.supplementaries.contains(where: \.isHeader) {
                layout.supplementaries.insert(measures.supplementary("header", .top), at: 0)
            }
            let isExpected = section.items.isEmpty && section.head.error == nil
            let isSkipped = section.head.layout == nil && design == .bare
            let placeholders = isExpected && !isSkipped ? Int(section.placeholders) : 0
            let input = ScreenLayout.Section(
                layout: layout, itemCount: cards.isEmpty ? placeholders : cards.count)
            edges.append(Self.edge(of: input, in: options))
            inputs.append(input)
            drafts.append(
                Section(
                    id: section.id, head: section.head, cards: cards, placeholders: placeholders, layout: layout,
                    design: design, offset: 0))
        }
        sectionEdges = edges
        let edge = Self.mostCommon(edges.compactMap { $0 }.filter { $0 > 0 }) ?? Self.usualEdge
        leadingEdge = edge
        // Only full-width elements depend on the margin, and sections keep their widths when heights are measured.
        let height =
            height ?? {
                CardDrawing.height(
                    of: $0, in: $1, isExpanded: options.isExpanded, margin: $1 < options.size.width ? 0 : edge,
                    phrases: phrases)
            }
        for (index, draft) in drafts.enumerated() {
            inputs[index] = Self.measured(inputs[index], draft.cards.map(\.card), in: options, height)
            inputs[index].measuredSupplementaries = Self.measuredSupplementaries(
                of: inputs[index], draft.head, own: edges[index], leadingEdge: edge, in: options)
        }
        let layout = ScreenLayout(
            sections: inputs, container: options.size, rightToLeft: options.isRightToLeft)
        self.layout = layout
        layoutSections = inputs
        sections = zip(drafts, layout.sections).map { draft, frames in
            let asked = options.sectionOffsets[draft.id] ?? frames.initialOffset
            let range = frames.offsetRange
            return Section(
                id: draft.id, head: draft.head, cards: draft.cards, placeholders: draft.placeholders,
                layout: draft.layout, design: draft.design, offset: min(max(asked, range.lowerBound), range.upperBound))
        }
        let lowest = max(0, layout.contentSize.height - options.size.height)
        window =
            options.isFullHeight
            ? LayoutRect(
                x: 0, y: 0, width: options.size.width, height: max(layout.contentSize.height, options.size.height))
            : LayoutRect(
                x: 0, y: min(max(0, options.offset), lowest), width: options.size.width, height: options.size.height)
    }

    // MARK: - Where reading begins

    /// In points, for a screen with only full-width elements.
    private static let usualEdge = 20.0
    /// Points from the screen's edge within which an item counts as starting at it.
    private static let bleed = 1.0

    private static func edge(of section: ScreenLayout.Section, in options: Options) -> Double? {
        let frames = SectionFrames(
            layout: section.layout, container: options.size, itemCount: section.itemCount,
            rightToLeft: options.isRightToLeft)
        // If groups are centred, the first one starts wherever that puts it.
        guard frames.scrolling != .groupPagingCentered, let first = frames.frame(ofItem: 0) else { return nil }
        let distance =
            options.isRightToLeft
            ? options.size.width - (first.maxX - frames.initialOffset) : first.x - frames.initialOffset
        return distance > bleed ? min(distance, options.size.width / 4) : 0
    }

    /// Of several that are equally common, the first.
    private static func mostCommon(_ edges: [Double]) -> Double? {
        let counts = Dictionary(edges.map { (($0 * 2).rounded(), 1) }, uniquingKeysWith: +)
        let most = counts.values.max()
        return edges.first { counts[($0 * 2).rounded()] == most }
    }

    /// The message to show if no section has or expects anything to show; `nil` otherwise.
    package var notice: Notice? {
        guard sections.allSatisfy({ $0.cards.isEmpty && $0.placeholders == 0 }) else { return nil }
        if let error = sections.lazy.compactMap(\.head.error).first {
            return Notice(text: Words.clean(error), isError: true, symbol: .info)
        }
        return switch id.name {
        case "favorites": Notice(text: phrases.noFavorites, isError: false, symbol: .starOutline)
        case "search": Notice(text: phrases.noQuery, isError: false, symbol: .info)
        default: Notice(text: phrases.nothingHere, isError: false, symbol: .info)
        }
    }

    /// The section with the heights its content wants at its laid-out widths.
    private static func measured(
        _ section: ScreenLayout.Section, _ cards: [Card], in options: Options, _ height: (Card, Double) -> Double?
    ) -> ScreenLayout.Section {
        guard section.layout.group.hasEstimatedHeight else { return section }
        let frames = SectionFrames(
            layout: section.layout, container: options.size, itemCount: section.itemCount,
            rightToLeft: options.isRightToLeft)
        var section = section
        for (index, card) in cards.enumerated() {
            guard let frame = frames.frame(ofItem: index), let wanted = height(card, frame.width) else { continue }
            section.measured[index] = LayoutSize(width: frame.width, height: wanted)
        }
        return section
    }

    /// The heights that the texts of headers, footers and side views of estimated height need at their widths. The
    /// views are designed for their estimates, so the heights are never lower than those.
    private static func measuredSupplementaries(
        of section: ScreenLayout.Section, _ head: SectionHead, own: Double?, leadingEdge: Double, in options: Options
    ) -> [Int: LayoutSize] {
        guard section.layout.supplementaries.contains(where: \.hasEstimatedHeight) else { return [:] }
        let frames = SectionFrames(
            layout: section.layout, container: options.size, itemCount: 0, rightToLeft: options.isRightToLeft)
        var sizes: [Int: LayoutSize] = [:]
        for (index, (supplementary, shown)) in zip(section.layout.supplementaries, frames.supplementaryFrames)
            .enumerated() where supplementary.hasEstimatedHeight
        {
            let frame = shown.frame
            let needed =
                switch content(of: supplementary, in: head) {
                case .header(let header):
                    HeaderDrawing.height(
                        of: header, in: frame.width,
                        margin: margin(of: frame, own: own, leadingEdge: leadingEdge, in: options))
                case .footer(let footer): FooterDrawing.height(of: footer, in: frame.width)
                case .side(let side): SideDrawing.height(of: side)
                case .background, .card, .placeholder, .badge: 0.0
                }
            sizes[index] = LayoutSize(width: frame.width, height: max(frame.height, needed))
        }
        return sizes
    }

    /// Points from the leading edge of a frame that doesn't scroll sideways to its words.
    ///
    /// - Parameter own: the section's edge.
    private static func margin(of frame: LayoutRect, own: Double?, leadingEdge: Double, in options: Options) -> Double {
        let leading = options.isRightToLeft ? options.size.width - frame.maxX : frame.x
        let own = own ?? leadingEdge
        return max(0, (own > 0 ? own : leadingEdge) - leading)
    }

    /// Why a section, and an item of it, are where they are; `nil` if there is no such section.
    package func explanation(ofSection section: Int, item: Int?) -> LayoutExplanation? {
        ScreenLayout.explanation(
            ofSection: section, item: item, sections: layoutSections, container: options.size,
            rightToLeft: options.isRightToLeft)
    }

    // MARK: - Elements

    /// The visible elements, from back to front: for each section its background, its items with their badges, then
    /// headers, footers and side views, unless the layout's z-indices say otherwise.
    package var elements: [PresentedElement] {
        layout.sections(in: window).flatMap { elements(ofSection: $0) }
    }

    private func elements(ofSection index: Int) -> [PresentedElement] {
        guard let place = layout.frame(ofSection: index) else { return [] }
        let (section, frames) = (sections[index], layout.sections[index])
        let visible = LayoutRect(x: 0, y: 0, width: window.width, height: window.height)
        let isSideways = frames.scrolling != .none
        let top = place.y - window.y
        var elements: [(depth: Int, element: PresentedElement)] = []
        func add(_ content: PresentedElement.Content, _ frame: LayoutRect, scrolls: Bool, depth: Int) {
            let shown = frame.offsetBy(x: scrolls ? -section.offset : 0, y: top)
            guard shown.intersects(visible) else { return }
            // Sideways scrolling content is clipped at the container; anything that extends above or below, such as
            // badges, isn't.
            let own = sectionEdges[index] ?? leadingEdge
            // Items of a row that starts at the screen's edge all have the same margin inside their frames.
            let margin =
                scrolls && isSideways
                ? (own > 0 ? 0 : leadingEdge)
                : Self.margin(of: frame, own: own, leadingEdge: leadingEdge, in: options)
            elements.append(
                (
                    depth,
                    PresentedElement(
                        content: content, section: index, frame: shown, clip: visible, margin: margin)
                ))
        }
        if let decoration = section.layout.decoration, let frame = frames.decorationFrame {
            add(.background(kind: decoration.kind), frame, scrolls: false, depth: LayoutDepth.of(decoration))
        }
        // Slightly larger than the section, because badges extend beyond their items.
        let rect = LayoutRect(
            x: isSideways ? section.offset : 0, y: window.y - place.y, width: window.width, height: window.height)
        let items = frames.items(in: rect)
        for item in items {
            guard let frame = frames.frame(ofItem: item) else { continue }
            if section.cards.indices.contains(item) {
                let (id, card) = section.cards[item]
                add(.card(card, id: id, index: item), frame, scrolls: isSideways, depth: LayoutDepth.item)
            } else {
                add(
                    .placeholder(index: item, style: Card.Style(expectedIn: section.head.kind)), frame,
                    scrolls: isSideways, depth: LayoutDepth.item)
            }
        }
        for item in items {
            for badge in frames.badgeFrames(ofItem: item) {
                add(
                    .badge(kind: badge.kind, item: item), badge.frame, scrolls: isSideways, depth: badge.depth)
            }
        }
        let own = frames.supplementaryFrames
        for (number, shown) in layout.supplementaryFrames(ofSection: index, showing: window).enumerated() {
            var content = Self.content(of: section.layout.supplementaries[number], in: section.head)
            content.isAfloat = shown != own[number]
            add(content, shown.frame, scrolls: false, depth: shown.depth)
        }
        // Stable: elements of one depth stay in the order above.
        return elements.sorted { $0.depth < $1.depth }.map(\.element)
    }

    private static func content(
        of supplementary: LayoutSupplementary, in head: SectionHead
    ) -> PresentedElement.Content {
        let kind = supplementary.kind
        if supplementary.isHeader {
            var header = PresentedElement.Supplementary(kind: kind)
            header.isMeasured = supplementary.hasEstimatedHeight
            let text = head.supplements[kind] ?? head.header
            header.title = Words.clean(text?.title ?? "")
            header.actions = (text?.actions ?? []).filter { $0.id != "sort" }
            header.sorts = head.sorts
            header.sort = head.sort
            header.error = head.error.map(Words.clean)
            return .header(header)
        }
        if kind == "footer" || supplementary.edges.contains(.bottom) {
            var footer = PresentedElement.Supplementary(kind: kind)
            footer.isMeasured = supplementary.hasEstimatedHeight
            let text = head.supplements[kind] ?? head.footer
            footer.title = Words.clean(text?.title ?? "")
            footer.actions = text?.actions ?? []
            return .footer(footer)
        }
        var side = PresentedElement.Supplementary(kind: kind)
        side.title = Words.clean(head.supplements[kind]?.title ?? "")
        side.actions = head.supplements[kind]?.actions ?? []
        return .side(side)
    }
}

extension LayoutSupplementary {
    fileprivate var hasEstimatedHeight: Bool { if case .estimated = height { true } else { false } }

    /// Kinds are arbitrary, so the position counts too.
    fileprivate var isHeader: Bool { kind == "header" || edges.contains(.top) && kind != "footer" }
}

extension LayoutNode {
    fileprivate var hasEstimatedHeight: Bool {
        switch self {
        case .item(let item): if case .estimated = item.height { true } else { false }
        case .group(let group): group.children.contains { $0.hasEstimatedHeight }
        }
    }
}
