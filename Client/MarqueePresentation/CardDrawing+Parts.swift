import MarqueeLayout
import MarqueeModel

/// Parts that several styles of cards share.
extension CardDrawing {
    // MARK: - Progress

    /// How much is done, as part of a bar; nothing if the total is unknown.
    func progressBar(in bar: LayoutRect, behind: Color? = nil) -> [Shape] {
        guard let share = card.progress?.share, bar.width > 0 else { return [] }
        let done = LayoutRect(x: bar.x, y: bar.y, width: bar.width * share, height: bar.height)
        return [
            .box(bar, .color(behind ?? theme.secondaryText.opacity(0.3)), radius: bar.height / 2),
            .box(done, .color(theme.accent), radius: bar.height / 2),
        ]
    }

    /// The bar inside an image, above its lower edge.
    func progressBar(atFootOf image: LayoutRect) -> [Shape] {
        let inset = min(8, image.width / 8)
        return progressBar(
            in: LayoutRect(x: image.x + inset, y: image.maxY - 9, width: image.width - 2 * inset, height: 4),
            behind: .white.opacity(0.45))
    }

    // MARK: - The end of a row

    /// Width of a column of facts, in points. It follows from the frame, so the columns of all rows line up.
    private var factColumn: Double { frame.width < 600 ? 46 : 64 }
    /// The most of the room beside the image that a lone column takes for its value.
    private static let widestFact = 0.45
    /// Points of a row reserved for its words.
    private var leastWords: Double { max(130, frame.width * 0.42) }

    /// Draws the end of a row: a ranked card's facts in columns, then the price.
    /// - Returns: what to draw, and how wide it is, with the gap before it.
    func trailing(from start: Double, to end: Double) -> (shapes: [Shape], width: Double) {
        var shapes: [Shape] = []
        var right = end
        if let price = card.price {
            let text = Text(price, 15, .bold, theme.text).aligned(.trailing)
            let width = min(TextRuler.width(of: text) + 2, max(0, (end - start) * 0.4))
            shapes.append(textShape(text, right - width, (frame.height - text.lineHeight) / 2, width, lines: 1))
            right -= width + 10
        }
        guard card.style == .ranked, !card.facts.isEmpty else { return (shapes, end - right) }
        let room = right - start
        // The first one gets a column even if that leaves the words less room than usual.
        let fitting = max(Int(max(0, room - leastWords) / factColumn), room - factColumn >= 90 ? 1 : 0)
        let columns = min(card.facts.count, fitting)
        let column = columns == 1 ? loneColumn(of: card.facts[0], in: room) : factColumn
        for (index, fact) in card.facts.prefix(columns).enumerated() {
            let x = right - Double(columns - index) * column
            let value = Text(fact.value, 15, .semibold, theme.text).aligned(.trailing)
            let label = Text(fact.label, 10, .regular, theme.secondaryText).aligned(.trailing)
            let height = value.lineHeight + (fact.label.isEmpty ? 0 : label.lineHeight)
            let top = (frame.height - height) / 2
            shapes.append(textShape(value, x, top, column - 8, lines: 1))
            if !fact.label.isEmpty {
                shapes.append(textShape(label, x, top + value.lineHeight, column - 8, lines: 1))
            }
        }
        right -= Double(columns) * column
        return (shapes, end - right)
    }

    /// The width of the only column of facts: values are at its end, so rows line up however wide each one is.
    private func loneColumn(of fact: Card.Fact, in room: Double) -> Double {
        let value = TextRuler.width(of: fact.value, size: 15, weight: .semibold)
        let label = TextRuler.width(of: fact.label, size: 10, weight: .regular)
        return max(factColumn, min(max(value, label) + 10, room * Self.widestFact))
    }

    // MARK: - Parts of a detail

    /// The rank, and how it changed.
    /// - Returns: what to draw, and how wide it is.
    func detailRank(atX x: Double, y: Double) -> (shapes: [Shape], width: Double) {
        guard let rank = card.rank else { return ([], 0) }
        let text = Text("#\(rank)", 14, .semibold, theme.text)
        let width = TextRuler.width(of: text) + 2
        let mark = rankMark(atX: x + width + 5, y: y, size: 13)
        let number = Shape.text(LayoutRect(x: x, y: y, width: width, height: text.lineHeight), text)
        return ([number] + mark.shapes, width + (mark.width > 0 ? mark.width + 5 : 0))
    }

    /// The actions, as buttons in as many rows as they need; the first is the main one.
    /// - Returns: what to draw, and how high it is, with the gap below it.
    func buttons(y: Double, width: Double) -> (shapes: [Shape], height: Double) {
        var shapes: [Shape] = []
        var (x, top) = (0.0, y)
        for (index, action) in card.actions.enumerated() {
            let isMain = index == 0
            let title = Words.clean(action.title)
            guard !title.isEmpty else { continue }
            let label = Text(title, 14, .semibold, isMain ? theme.onAccent : theme.text).aligned(.center)
            let wide = min(TextRuler.width(of: label) + 32, width)
            if x > 0, x + wide > width { (x, top) = (0, top + 44) }
            let box = rect(margin + x, top, wide, 36)
            shapes.append(
                isMain
                    ? .box(box, .color(theme.accent), radius: 18)
                    : .outline(box.inset(0.5), theme.secondaryText.opacity(0.6), width: 1, radius: 18))
            shapes.append(middle(label, in: box))
            x += wide + 8
        }
        return (shapes, shapes.isEmpty ? 0 : top - y + 36 + 14)
    }

    /// Facts one below another, their values in one column.
    /// - Returns: what to draw, and how high it is, with the gap below it.
    func factTable(y: Double, width: Double) -> (shapes: [Shape], height: Double) {
        let labels = card.facts.map { Text($0.label, 13, .semibold, theme.secondaryText).lines(2) }
        let widest = labels.map { TextRuler.width(of: $0) }.max() ?? 0
        let column = min(widest + 1, width * 0.4)
        let gap = column > 1 ? 10.0 : 0
        var shapes: [Shape] = []
        var top = y
        for (fact, label) in zip(card.facts, labels) {
            let value = Text(fact.value, 13, .semibold, theme.text).lines(3)
            shapes.append(textShape(label, margin, top, column))
            shapes.append(textShape(value, margin + column + gap, top, width - column - gap))
            top +=
                max(TextRuler.height(of: label, in: column), TextRuler.height(of: value, in: width - column - gap)) + 6
        }
        return (shapes, shapes.isEmpty ? 0 : top - y + 4)
    }
}
