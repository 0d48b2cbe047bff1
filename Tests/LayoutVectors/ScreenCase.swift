internal import MarqueeLayout
internal import MarqueeModel

/// Sections below each other.
package struct ScreenCase: Codable, Sendable {
    package var name: String
    package var why: String?
    package var sections: [SectionContents]
    package var container: [Double]
    package var rightToLeft: Bool?
    package var asked: ScreenQuestions
    package var worked: ScreenAnswer?
    package var answer: ScreenAnswer?

    package init(
        name: String, sections: [SectionContents], container: [Double], rightToLeft: Bool? = nil, asked: ScreenQuestions
    ) {
        self.name = name
        self.sections = sections
        self.container = container
        self.rightToLeft = rightToLeft
        self.asked = asked
    }

    /// The engine's answer.
    package func engineAnswer() throws -> ScreenAnswer {
        let screen = ScreenLayout(
            sections: try sections.map { try $0.section() }, container: try LayoutSize(pair: container),
            rightToLeft: rightToLeft ?? false)
        var answer = ScreenAnswer()
        answer.contentSize = screen.contentSize.list
        answer.sections = sections.indices.compactMap { screen.frame(ofSection: $0)?.list }
        let offsets = asked.offsets ?? [:]
        answer.frames = try (asked.items ?? []).map { place in
            let position = try ItemPosition(pair: place)
            return screen.frame(
                ofItem: position.item, inSection: position.section, offset: offsets[position.section])?.list
        }
        let rects = try (asked.rects ?? []).map { try LayoutRect(list: $0) }
        answer.sectionsInRects = rects.map { rect in
            let sections = screen.sections(in: rect)
            return [sections.lowerBound, sections.upperBound]
        }
        answer.inRects = rects.map { rect in
            screen.items(in: rect, offsets: offsets).map { [$0.section, $0.item] }
        }
        answer.showing = rects.map { rect in
            sections.indices.map { screen.supplementaryFrames(ofSection: $0, showing: rect).map(\.frame.y) }
        }
        return answer
    }
}

extension ItemPosition {
    fileprivate init(pair: [Int]) throws {
        guard pair.count == 2 else { throw LayoutDocumentError(description: "\(pair) isn't a section and an item") }
        self.init(section: pair[0], item: pair[1])
    }
}

/// The questions of a case about its screen.
package struct ScreenQuestions: Codable, Sendable {
    /// `[section, item]`.
    package var items: [[Int]]?
    /// Offsets of sections that are scrolled sideways; the others have their initial one.
    package var offsets: [Int: Double]?
    package var rects: [[Double]]?

    package init(items: [[Int]]? = nil, offsets: [Int: Double]? = nil, rects: [[Double]]? = nil) {
        self.items = items
        self.offsets = offsets
        self.rects = rects
    }
}

/// An engine's answer about a screen. Of a worked answer, parts may be missing.
package struct ScreenAnswer: Codable, Sendable {
    package var contentSize: [Double]?
    /// `[x, y, width, height]` of each section.
    package var sections: [[Double]]?
    /// Of each item asked for; `null` if there is none.
    package var frames: [[Double]?]?
    /// The first section in each rectangle, and the one after the last.
    package var sectionsInRects: [[Int]]?
    /// `[section, item]` of the items in each rectangle.
    package var inRects: [[[Int]]]?
    /// For each rectangle and section, the tops of the supplementaries in the section.
    package var showing: [[[Double]]]?
}

/// A section without a layout.
package struct DesignCase: Codable, Sendable {
    package var name: String
    package var why: String?
    /// `SectionHead.kind` of marquee.proto.
    package var kind: UInt32
    /// Whether its items are records of which none has an image.
    package var onlyWords: Bool?
    package var header: Bool?
    package var footer: Bool?
    /// Points that the screen is wide.
    package var width: Double
    package var answer: DesignAnswer?

    package init(
        name: String, kind: UInt32, onlyWords: Bool? = nil, header: Bool? = nil, footer: Bool? = nil, width: Double
    ) {
        self.name = name
        self.kind = kind
        self.onlyWords = onlyWords
        self.header = header
        self.footer = footer
        self.width = width
    }

    /// The engine's answer.
    package func engineAnswer() throws -> DesignAnswer {
        var head = SectionHead(kind: SectionKind(rawValue: kind))
        if header == true { head.header = Supplement(title: "Header") }
        if footer == true { head.footer = Supplement(title: "Footer") }
        let design = SectionDesign(of: head.kind, hasOnlyWords: onlyWords ?? false)
        return DesignAnswer(
            design: String(describing: design),
            layout: LayoutDocument(design.layout(for: head, in: .screen(width: width))))
    }
}

/// How a section without a layout looks.
package struct DesignAnswer: Codable, Hashable, Sendable {
    /// The case of `SectionDesign`.
    package var design: String
    package var layout: LayoutDocument
}
