import MarqueeLayout

/// Cards whose words come first.
extension CardDrawing {
    /// The image above, as wide as the frame; the title as large as lets the caption show.
    var banner: [Shape] {
        let margin = frame.width > 300 ? 20.0 : 0
        let inner = frame.width - 2 * margin
        let imageHeight = min(160, frame.height * 8 / 11)
        let room = frame.height - imageHeight - 4
        let caption = Text(card.lines.first ?? "", 12, .regular, theme.secondaryText).lines(2)
        let captionHeight = caption.string.isEmpty ? 0 : TextRuler.height(of: caption, in: inner)
        let titles = [(24.0, 2), (24, 1), (20, 2), (20, 1), (17, 2), (17, 1), (14, 1)].map { size, lines in
            Text(card.title, size, .bold, theme.text).lines(lines)
        }
        // A smaller title that is whole goes before a large one that is cut.
        let fitting = titles.filter { TextRuler.height(of: $0, in: inner) + captionHeight <= room }
        let whole = fitting.first { TextRuler.lines(of: $0.lines(9), in: inner) <= $0.lines }
        let title = whole ?? fitting.last ?? Text(card.title, 14, .bold, theme.text)
        let titleHeight = TextRuler.height(of: title, in: inner)
        var shapes = [
            image(card.image, in: rect(0, 0, frame.width, imageHeight), radius: 0),
            textShape(title, margin, imageHeight + 4, inner),
        ]
        if captionHeight > 0 {
            let lines = min(caption.lines, max(1, Int((room - titleHeight) / caption.lineHeight)))
            shapes.append(textShape(caption.lines(lines), margin, imageHeight + 4 + titleHeight, inner))
        }
        if let action = card.actions.first {
            let label = Text(Words.clean(action.title), 13, .bold, theme.onAccent).aligned(.center)
            let wide = min(TextRuler.width(of: label) + 28, inner)
            let box = rect(frame.width - margin - wide, imageHeight - 42, wide, 32)
            shapes += [.box(box, .color(theme.accent), radius: 16), middle(label, in: box)]
        }
        return shapes
    }

    /// Measured text; the highlighted part is an action.
    var text: (shapes: [Shape], height: Double) {
        var text = Text(card.title, 20, .bold, theme.text).lines(Self.textLines)
        text.highlight = card.highlighted.map { Text.Highlight(part: $0, color: theme.accent) }
        let height = TextRuler.height(of: text, in: frame.width)
        return ([textShape(text, 0, 6, frame.width)], height + 12)
    }

    /// Lines of a text of its own, at most.
    private static let textLines = 8

    var course: [Shape] {
        let isWide = frame.width > frame.height * 1.2
        let title = Text(card.title, isWide ? 17 : 13, .bold, theme.text).lines(2)
        let author = Text(card.lines.first ?? "", 11, .regular, theme.secondaryText)
        let price = Text(card.price ?? "", isWide ? 16 : 14, .bold, theme.text)
        let titleLines = isWide ? 1 : TextRuler.lines(of: title, in: frame.width)
        let below =
            Double(titleLines) * title.lineHeight + (author.string.isEmpty ? 0 : author.lineHeight) + 17
            + (card.tag == nil ? 0 : 20) + (isWide || price.string.isEmpty ? 0 : price.lineHeight) + 6
        let imageHeight = max(min(frame.width * 9 / 16, frame.height - below), frame.height * 0.3)
        var shapes = [image(card.image, in: rect(0, 0, frame.width, imageHeight))]
        var y = imageHeight + 6
        func add(_ text: Text, lines: Int = 1, width: Double? = nil) {
            guard !text.string.isEmpty, y + text.lineHeight <= frame.height + 2 else { return }
            shapes.append(textShape(text, 0, y, width ?? frame.width, lines: lines))
            y += Double(lines) * text.lineHeight
        }
        let priceWidth = isWide && !price.string.isEmpty ? TextRuler.width(of: price) + 12 : 0
        if priceWidth > 0 {
            shapes.append(textShape(price.aligned(.trailing), frame.width - priceWidth, y, priceWidth, lines: 1))
        }
        add(title, lines: titleLines, width: frame.width - priceWidth)
        add(author)
        if let rating = card.rating, rating.value.isFinite, y + 16 <= frame.height + 2 {
            shapes += stars(rating, y: y)
            y += 17
        }
        if !isWide { add(price) }
        if let tag = card.tag, y + 18 <= frame.height + 2 {
            let label = Text(tag, 10, .bold, Color(0x3D3C0A)).aligned(.center)
            let box = rect(0, y + 1, min(TextRuler.width(of: label) + 12, frame.width), 17)
            shapes += [.box(box, .color(Color(0xECEB98)), radius: 3), middle(label, in: box)]
        }
        return shapes
    }

    /// The number, five stars of which so many are filled, and how many rated.
    private func stars(_ rating: Card.Rating, y: Double) -> [Shape] {
        let number = Text(Words.decimal(rating.value), 11, .bold, theme.star)
        let width = TextRuler.width(of: number) + 4
        var shapes = [textShape(number, 0, y, width, lines: 1)]
        let filled = Int((rating.value / rating.best * 5).rounded())
        for index in 0..<5 {
            shapes.append(
                .symbol(
                    rect(width + Double(index) * 12, y + 2, 10.5, 10.5), index < filled ? .star : .starOutline,
                    theme.star))
        }
        if let votes = rating.votes {
            let text = Text("(\(Words.number(votes)))", 10, .regular, theme.secondaryText)
            shapes.append(textShape(text, width + 64, y + 0.5, max(0, frame.width - width - 64), lines: 1))
        }
        return shapes
    }

    /// Two rows of words, split in the middle.
    var categories: [Shape] {
        let height = min(38, (frame.height - 8) / 2)
        guard height > 10, !card.words.isEmpty else { return [] }
        let half = (card.words.count + 1) / 2
        let rows = [card.words.prefix(half), card.words.dropFirst(half)]
        let shapes = rows.enumerated().flatMap { row, words -> [Shape] in
            var x = frame.width > 300 ? 20.0 : 0
            let y = Double(row) * (height + 8)
            return words.flatMap { word -> [Shape] in
                let label = Text(word, 13, .semibold, theme.text).aligned(.center)
                let box = rect(x, y, TextRuler.width(of: label) + 28, height)
                x += box.width + 8
                return [
                    .outline(box.inset(0.5), theme.secondaryText.opacity(0.6), width: 1, radius: height / 2),
                    middle(label, in: box),
                ]
            }
        }
        return [.clipped(frame, radius: 0, shapes)]
    }

    /// A small image beside the words in a low frame, a large one above them in a high frame.
    var place: [Shape] {
        if frame.height < frame.width * 0.6 {
            let side = frame.height - 20
            let (x, width) = (side + 24, frame.width - side - 34)
            let title = Text(card.title, 15, .semibold, theme.text).lines(2)
            let lines = TextRuler.lines(of: title, in: width)
            let distance = Text(card.lines.first ?? "", 13, .regular, theme.secondaryText)
            let height = Double(lines) * title.lineHeight + (distance.string.isEmpty ? 0 : distance.lineHeight)
            let top = (frame.height - height) / 2
            return [
                image(card.image, in: rect(10, 10, side, side)), textShape(title, x, top, width, lines: lines),
                textShape(distance, x, top + Double(lines) * title.lineHeight, width, lines: 1),
            ]
        }
        // Narrow frames, as those of a grid, have no room for a margin or for large letters.
        let isNarrow = frame.width < 200
        let margin = isNarrow ? 0.0 : 10
        let inner = frame.width - 2 * margin
        let title = Text(card.title, isNarrow ? 12 : 17, .semibold, theme.text).lines(2)
        let titleHeight = TextRuler.height(of: title, in: inner)
        let distance = Text(card.lines.first ?? "", isNarrow ? 11 : 13, .regular, theme.secondaryText)
        let wordsHeight = titleHeight + (distance.string.isEmpty ? 0 : distance.lineHeight) + 6
        let imageHeight = max(0, frame.height - wordsHeight - 2 * margin)
        let top = margin + imageHeight + 6
        return [
            image(card.image, in: rect(margin, margin, inner, imageHeight), radius: isNarrow ? 8 : 14),
            textShape(title, margin, top, inner),
            textShape(distance, margin, top + titleHeight, inner, lines: 1),
        ]
    }

    var link: [Shape] {
        let box = rect(0, 0, frame.width, frame.height).inset(frame.height > 60 ? 10 : 2)
        let title = Text(card.title, 17, .bold, theme.text).lines(2)
        let width = box.width - 64
        let height = TextRuler.height(of: title, in: width)
        let top = box.y - frame.y + (box.height - height) / 2
        return [
            .box(box, .color(theme.surface), radius: 14),
            textShape(title, box.x - frame.x + 20, top, width),
            .symbol(
                LayoutRect(x: box.maxX - 34, y: box.y + box.height / 2 - 9, width: 18, height: 18), .chevronRight,
                theme.accent),
        ]
    }

    /// A line in the middle of a box, down as well as across.
    func middle(_ text: Text, in box: LayoutRect) -> Shape {
        .text(
            LayoutRect(
                x: box.x, y: box.y + (box.height - text.lineHeight) / 2, width: box.width, height: text.lineHeight),
            text)
    }
}
