import Foundation
import MarqueeLayout

/// Cards dominated by words.
extension CardDrawing {
    /// The image above, as wide as the frame, and the words below it: a title of two lines and a caption of two, in
    /// sizes that never change. If they need more room than the image leaves, they extend up over its bottom, which
    /// fades.
    var banner: [Shape] {
        let inner = frame.width - 2 * margin
        let imageHeight = min(160, frame.height * 8 / 11)
        let title = Text(card.title, 24, .bold, theme.text).lines(2).tight()
        let caption = Text(card.lines.first ?? "", 12, .regular, theme.secondaryText).lines(2).tight()
        let titleHeight = TextRuler.height(of: title, in: inner)
        let captionHeight = caption.string.isEmpty ? 0 : TextRuler.height(of: caption, in: inner)
        let overline = card.overline.map { Text($0, 12, .semibold, theme.secondaryText) }
        let overlineHeight = overline?.lineHeight ?? 0
        let top = min(imageHeight + 1, frame.height - overlineHeight - titleHeight - captionHeight)
        var shapes = [image(card.image, in: rect(0, 0, frame.width, imageHeight), radius: 0)]
        if top < imageHeight {
            let fade = rect(0, max(0, top - 36), frame.width, imageHeight - max(0, top - 36) + 1)
            shapes.append(scrim(fade, from: theme.background.opacity(0), to: theme.background))
        }
        guard top >= 0 else { return shapes }
        if let overline { shapes.append(textShape(overline, margin, top, inner)) }
        shapes.append(textShape(title, margin, top + overlineHeight, inner))
        if captionHeight > 0 { shapes.append(textShape(caption, margin, top + overlineHeight + titleHeight, inner)) }
        shapes += badges(atX: frame.x + margin, y: frame.y + 10, width: inner).shapes
        if let action = card.actions.first {
            let label = Text(Words.clean(action.title), 13, .bold, theme.onAccent).aligned(.center)
            let wide = min(TextRuler.width(of: label) + 28, inner)
            let box = rect(frame.width - margin - wide, max(0, min(imageHeight, top) - 42), wide, 32)
            shapes += [.box(box, .color(theme.accent), radius: 16), middle(label, in: box)]
        }
        return shapes
    }

    /// Measured text; the highlighted part triggers an action.
    var text: (shapes: [Shape], height: Double) {
        var text = Text(card.title, 20, .bold, theme.text).lines(Self.textLines)
        text.highlight = card.highlighted.map { Text.Highlight(part: $0, color: theme.accent) }
        let height = TextRuler.height(of: text, in: frame.width)
        return ([textShape(text, 0, 6, frame.width)], height + 12)
    }

    /// Maximum lines of a standalone text.
    private static let textLines = 8

    var course: [Shape] {
        let isWide = frame.width > frame.height * 1.2
        let title = Text(card.title, isWide ? 17 : 13, .bold, theme.text).lines(2)
        let author = Text(card.lines.first ?? "", 11, .regular, theme.secondaryText)
        let price = Text(card.price ?? "", isWide ? 16 : 14, .bold, theme.text)
        let priceWidth = isWide && !price.string.isEmpty ? TextRuler.width(of: price) + 12 : 0
        let titleLines = TextRuler.lines(of: title, in: frame.width - priceWidth)
        let below =
            Double(titleLines) * title.lineHeight + (author.string.isEmpty ? 0 : author.lineHeight) + 17
            + (card.badges.isEmpty ? 0 : 20) + (isWide || price.string.isEmpty ? 0 : price.lineHeight) + 6
        let imageHeight = max(min(frame.width * 9 / 16, frame.height - below), frame.height * 0.3)
        var shapes = [image(card.image, in: rect(0, 0, frame.width, imageHeight))]
        var y = imageHeight + 6
        func add(_ text: Text, lines: Int = 1, width: Double? = nil) {
            guard !text.string.isEmpty, y + text.lineHeight <= frame.height + 2 else { return }
            shapes.append(textShape(text, 0, y, width ?? frame.width, lines: lines))
            y += Double(lines) * text.lineHeight
        }
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
        if y + 18 <= frame.height + 2 {
            shapes += badges(atX: frame.x, y: frame.y + y + 1, height: 17, width: frame.width).shapes
        }
        return shapes + progressBar(atFootOf: rect(0, 0, frame.width, imageHeight))
    }

    /// The number, five stars filled to the nearest half, and the number of ratings.
    private func stars(_ rating: Card.Rating, y: Double) -> [Shape] {
        let number = Text(Words.decimal(rating.value), 11, .bold, theme.star)
        let width = TextRuler.width(of: number) + 4
        var shapes = [textShape(number, 0, y, width, lines: 1)]
        let share = rating.best > 0 ? min(max(rating.value / rating.best, 0), 1) : 0
        let halves = Int((share * 10).rounded())
        for index in 0..<5 {
            let place = rect(width + Double(index) * 12, y + 2, 10.5, 10.5)
            shapes += star(of: min(max(halves - 2 * index, 0), 2), in: place)
        }
        if let votes = rating.votes {
            let text = Text("(\(votes.formatted(.number.locale(phrases.locale))))", 10, .regular, theme.secondaryText)
            let room = frame.width - width - 64
            if TextRuler.width(of: text) <= room { shapes.append(textShape(text, width + 64, y + 0.5, room, lines: 1)) }
        }
        return shapes
    }

    /// A star with zero, one or both halves filled.
    private func star(of halves: Int, in place: LayoutRect) -> [Shape] {
        switch halves {
        case 0: return [.symbol(place, .starOutline, theme.star)]
        case 1:
            let half = LayoutRect(x: place.x, y: place.y, width: place.width / 2, height: place.height)
            return [
                .symbol(place, .starOutline, theme.star),
                .clipped(half, radius: 0, [.symbol(place, .star, theme.star)]),
            ]
        default: return [.symbol(place, .star, theme.star)]
        }
    }

    /// Two rows of words, split in the middle.
    var categories: [Shape] {
        let height = min(38, (frame.height - 8) / 2)
        guard height > 10, !card.words.isEmpty else { return [] }
        let half = (card.words.count + 1) / 2
        let rows = [card.words.prefix(half), card.words.dropFirst(half)]
        let shapes = rows.enumerated().flatMap { row, words -> [Shape] in
            var x = margin
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

    /// A small image beside the words in a short frame, a large one above them in a tall frame.
    var place: [Shape] {
        if frame.height < frame.width * 0.6 {
            let side = frame.height - 20
            let (x, width) = (margin + side + 14, frame.width - margin - side - 24)
            let title = Text(card.title, 15, .semibold, theme.text).lines(2)
            let lines = TextRuler.lines(of: title, in: width)
            let distance = Text(card.lines.first ?? "", 13, .regular, theme.secondaryText)
            let height = Double(lines) * title.lineHeight + (distance.string.isEmpty ? 0 : distance.lineHeight)
            let top = (frame.height - height) / 2
            return [
                image(card.image, in: rect(margin, 10, side, side)), textShape(title, x, top, width, lines: lines),
                textShape(distance, x, top + Double(lines) * title.lineHeight, width, lines: 1),
            ]
        }
        // Narrow frames, as in a grid, have no room for large letters or a gap to the next one.
        let isNarrow = frame.width < 200
        let gap = isNarrow ? 0.0 : 10
        let inner = frame.width - margin - (margin > 0 ? 0 : gap)
        let title = Text(card.title, isNarrow ? 12 : 17, .semibold, theme.text).lines(2)
        let titleHeight = TextRuler.height(of: title, in: inner)
        let distance = Text(card.lines.first ?? "", isNarrow ? 11 : 13, .regular, theme.secondaryText)
        let wordsHeight = titleHeight + (distance.string.isEmpty ? 0 : distance.lineHeight) + 6
        let imageHeight = max(0, frame.height - wordsHeight - 2 * gap)
        let top = gap + imageHeight + 6
        return [
            image(card.image, in: rect(margin, gap, inner, imageHeight), radius: isNarrow ? 8 : 14),
            textShape(title, margin, top, inner),
            textShape(distance, margin, top + titleHeight, inner, lines: 1),
        ]
    }

    var link: [Shape] {
        let above = frame.height > 60 ? 10.0 : 2
        let box = rect(margin, above, frame.width - 2 * margin, frame.height - 2 * above)
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

    /// A line centred in a box, vertically as well as horizontally.
    func middle(_ text: Text, in box: LayoutRect) -> Shape {
        .text(
            LayoutRect(
                x: box.x, y: box.y + (box.height - text.lineHeight) / 2, width: box.width, height: text.lineHeight),
            TextRuler.fitted(text, in: box.width))
    }
}
