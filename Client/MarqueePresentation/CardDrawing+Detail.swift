import MarqueeLayout
import MarqueeModel

/// The card of a detail screen: images at the top, then everything known.
extension CardDrawing {
    /// Where the words of a detail begin, beside its images or below them.
    private struct DetailTop {
        var shapes: [Shape]
        /// Of the title.
        var x: Double
        var y: Double
        /// The bottom of the content beside the title.
        var foot: Double
        /// The rectangle with the favorite's star in its upper trailing corner.
        var star: LayoutRect
    }

    /// The image of a detail without a backdrop: as wide as the frame if the image is wide, otherwise beside the title.
    private var detailImage: DetailTop {
        let whole = rect(0, 8, frame.width - 8, Self.highestBackdrop)
        guard !card.omitsImage, let picture = card.image else {
            return DetailTop(shapes: [], x: margin, y: 16, foot: 0, star: whole)
        }
        if picture.aspect > 1.2 {
            let height = min(frame.width / picture.aspect, Self.highestBackdrop)
            return DetailTop(
                shapes: [image(picture, in: rect(0, 0, frame.width, height), radius: 0)], x: margin, y: height + 14,
                foot: 0, star: whole)
        }
        let width = min(140, frame.width * 0.34)
        let height = min(width / picture.aspect, Self.highestBackdrop)
        let place = rect(margin, 16, width, height)
        return DetailTop(
            shapes: [image(picture, in: place)], x: margin + width + 14, y: 16, foot: 16 + height, star: place)
    }

    /// A backdrop with the poster over its edge.
    private var detailBackdrop: DetailTop {
        let width = frame.width
        // On a wide screen the backdrop leaves room for the text below it.
        let backdropHeight = min(width * 9 / 16, Self.highestBackdrop)
        let posterWidth = min(116, width * 0.3)
        let posterHeight = posterWidth * 1.5
        let posterTop = backdropHeight - posterHeight * 0.45
        let backdrop = rect(0, 0, width, backdropHeight)
        let shapes = [
            image(card.backdrop, in: backdrop, radius: 0),
            // Slightly longer than the image, or its last row of pixels would show through.
            scrim(
                LayoutRect(x: backdrop.x, y: backdrop.y, width: backdrop.width, height: backdrop.height + 1),
                from: theme.background.opacity(0.05), to: theme.background),
            image(card.image, in: rect(margin, posterTop, posterWidth, posterHeight)),
        ]
        return DetailTop(
            shapes: shapes, x: margin + posterWidth + 14, y: backdropHeight - 18, foot: posterTop + posterHeight,
            star: rect(0, 8, width - 8, backdropHeight))
    }

    /// The images, then everything known about the item; as high as that takes.
    var detail: (shapes: [Shape], height: Double) {
        let width = frame.width
        let top = card.backdrop == nil ? detailImage : detailBackdrop
        var shapes = top.shapes
        let star = star(in: top.star, size: 38, showsOff: true)
        shapes += star

        // Beside the image, or beside the star if there is no image.
        let x = top.x
        var y = top.y
        let beside = width - x - max(margin, star.isEmpty || !top.shapes.isEmpty ? 0 : 60)
        for (text, lines) in [
            (Text(card.overline ?? "", 13, .semibold, theme.secondaryText), 1),
            (Text(card.title, 22, .bold, theme.text), card.backdrop == nil ? 4 : 2),
            (Text(card.lines.first ?? "", 13, .regular, theme.secondaryText), 2),
        ] where !text.string.isEmpty {
            shapes.append(textShape(text.lines(lines), x, y, beside))
            y += TextRuler.height(of: text.lines(lines), in: beside)
        }
        let rating = ratingLine(atX: frame.x + x, y: frame.y + y + 5, size: 14, isStrong: true, width: beside)
        shapes += rating.shapes
        var taken = rating.width
        let rankWidth = detailRank(atX: 0, y: 0).width
        if rankWidth > 0, taken > 0, taken + 10 + rankWidth > beside {
            y += 24
            taken = 0
        }
        shapes += detailRank(atX: frame.x + x + (taken > 0 ? taken + 10 : 0), y: frame.y + y + 5).shapes
        if taken > 0 || rankWidth > 0 { y += 24 }
        if let price = card.price {
            shapes.append(textShape(Text(price, 17, .bold, theme.text), x, y + 4, beside, lines: 1))
            y += 26
        }
        y = max(y, top.foot) + 16

        // Below the images.
        let inner = width - 2 * margin
        let mark = badges(atX: frame.x + margin, y: frame.y + y, height: 20, width: inner)
        shapes += mark.shapes
        if card.badges.count == 1, let note = card.badges.first?.note, !note.isEmpty {
            let text = Text(note, 13, .regular, theme.secondaryText)
            shapes.append(textShape(text, margin + mark.width + 8, y + 1.5, max(1, inner - mark.width - 8), lines: 1))
        }
        if mark.width > 0 { y += 30 }
        func add(_ text: Text, gap: Double) {
            guard !text.string.isEmpty else { return }
            shapes.append(textShape(text, margin, y, inner))
            y += TextRuler.height(of: text, in: inner) + gap
        }
        add(Text(card.info ?? "", 13, .regular, theme.secondaryText).lines(2), gap: 10)
        if let tagline = card.tagline { add(Text(tagline, 15, .regular, theme.text).italic().lines(2), gap: 10) }
        if let progress = card.progress {
            shapes += progressBar(in: rect(margin, y + 2, inner, 5))
            if progress.share != nil { y += 11 }
            add(Text(progress.words, 13, .regular, theme.secondaryText), gap: 12)
        }
        let buttons = buttons(y: y, width: inner)
        shapes += buttons.shapes
        y += buttons.height
        if let prose = card.prose {
            let all = Text(prose, 14, .regular, theme.text.opacity(0.9)).lines(Self.proseLines)
            let needed = TextRuler.lines(of: all, in: inner)
            add(all.lines(isExpanded ? needed : min(needed, Self.foldedLines)), gap: 2)
            if needed > Self.foldedLines {
                add(Text(isExpanded ? phrases.less : phrases.more, 13, .semibold, theme.accent), gap: 0)
            }
            y += 10
        }
        let facts = factTable(y: y, width: inner)
        return (shapes + facts.shapes, y + facts.height + 6)
    }

    /// Lines of running text, folded and unfolded.
    private static let (foldedLines, proseLines) = (2, 60)
    /// Points.
    private static let highestBackdrop = 300.0
}
