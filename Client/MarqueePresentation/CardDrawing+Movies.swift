import MarqueeLayout
import MarqueeModel

/// Cards whose image comes first.
extension CardDrawing {
    /// Points of a caption's lines below a poster.
    private static let (titleSize, factSize) = (13.0, 11.0)

    var hero: [Shape] {
        let whole = rect(0, 0, frame.width, frame.height)
        var shapes = [
            image(card.image, in: whole, radius: 0),
            scrim(rect(0, 0, frame.width, min(110, frame.height / 3)), from: Color.black.opacity(0.6), to: .clear),
            scrim(
                rect(0, frame.height * 0.4, frame.width, frame.height * 0.6), from: theme.shade.opacity(0),
                to: theme.shade),
        ]
        let menu = card.actions.filter { $0.id == "menu" }
        var x = margin
        for action in menu {
            let text = Text(Words.clean(action.title), 15, .semibold, .white)
            let width = TextRuler.width(of: text) + 2
            guard x + width <= frame.width - margin else { break }
            shapes.append(textShape(text, x, 20, width, lines: 1))
            x += width + 24
        }
        var bottom = frame.height - 16
        let buttons = card.actions.filter { $0.id != "menu" }
        if !buttons.isEmpty {
            shapes += heroButtons(buttons, bottom: bottom)
            bottom -= 54
        }
        let side = max(24, margin)
        let width = frame.width - 2 * side
        for line in card.lines.prefix(2).reversed() {
            let text = Text(line, 14, .regular, .white.opacity(0.85)).aligned(.center).lines(2).anchored(.bottom)
            bottom -= TextRuler.height(of: text, in: width)
            shapes.append(textShape(text, side, bottom, width))
            bottom -= 4
        }
        var title = Text(card.title, 30, .heavy, .white).aligned(.center).anchored(.bottom).lines(2)
        // What stands for a title may be a sentence.
        if TextRuler.lines(of: title.lines(3), in: width) > 2 {
            title = Text(card.title, 20, .bold, .white).aligned(.center).anchored(.bottom).lines(5)
        }
        bottom -= TextRuler.height(of: title, in: width) + 2
        if bottom > 0 { shapes.append(textShape(title, side, bottom, width)) }
        return shapes + star(in: rect(0, 10, frame.width - 8, 40), size: 30)
    }

    /// The main action as a button in the middle, others as signs beside it.
    private func heroButtons(_ actions: [ScreenAction], bottom: Double) -> [Shape] {
        let main = actions.firstIndex { $0.id == "play" } ?? (actions.count == 1 ? 0 : nil)
        let width = (frame.width - 32) / Double(max(actions.count, 1))
        return actions.enumerated().flatMap { index, action -> [Shape] in
            let cell = rect(16 + Double(index) * width, bottom - 44, width, 44)
            let title = Words.clean(action.title)
            if index == main {
                let label = Text(title, 15, .bold, .black)
                let sign = action.id == "play" ? 20.0 : 0
                let wide = min(TextRuler.width(of: label) + sign + 28, cell.width)
                let box = LayoutRect(x: cell.x + (cell.width - wide) / 2, y: cell.y + 3, width: wide, height: 38)
                let words = LayoutRect(
                    x: box.x + 14 + sign, y: box.y + (38 - label.lineHeight) / 2, width: wide - 22 - sign,
                    height: label.lineHeight)
                let play = LayoutRect(x: box.x + 15, y: box.y + 12, width: 14, height: 14)
                return [.box(box, .color(.white), radius: 6), .text(words, TextRuler.fitted(label, in: words.width))]
                    + (sign > 0 ? [.symbol(play, .play, .black)] : [])
            }
            let sign = LayoutRect(x: cell.x + cell.width / 2 - 9, y: cell.y + 3, width: 18, height: 18)
            let label = Text(title, 11, .semibold, .white.opacity(0.9)).aligned(.center)
            let symbol: Symbol =
                switch action.id {
                case "favorite": card.star == .on || card.star == .pending ? .check : .plus
                case "info": .info
                default: .chevronRight
                }
            return [
                .symbol(sign, symbol, .white),
                .text(
                    LayoutRect(x: cell.x, y: cell.y + 26, width: cell.width, height: label.lineHeight),
                    TextRuler.fitted(label, in: cell.width)),
            ]
        }
    }

    /// The poster at its aspect ratio, as high as its frame allows; a title below where there is room, otherwise on it.
    var poster: [Shape] { poster(isLettered: true) }

    /// Whether there is room for a title below an image of its natural height.
    private var hasCaption: Bool {
        let natural = frame.width / (card.image?.aspect ?? 2.0 / 3)
        return frame.height - natural >= Text(card.title, Self.titleSize, .semibold, theme.text).lineHeight + 4
    }

    /// - Parameter isLettered: whether the title is written on the poster where there is no room for it below.
    private func poster(isLettered: Bool) -> [Shape] {
        let natural = frame.width / (card.image?.aspect ?? 2.0 / 3)
        let title = Text(card.title, Self.titleSize, .semibold, theme.text)
        let height = hasCaption ? natural : frame.height
        let place = rect(0, 0, frame.width, height)
        var shapes = [image(card.image, in: place, title: hasCaption || !isLettered ? nil : card.title)]
        if frame.width >= 110 { shapes += certificate(atX: place.x + 7, y: place.y + 7).shapes }
        // A badge often has the upper corner.
        shapes += star(in: place, atBottom: hasCaption)
        if hasCaption { shapes += caption(title, from: height + 5, in: rect(0, 0, frame.width, frame.height)) }
        return shapes
    }

    /// A title, and a line of facts where there is room for it.
    private func caption(_ title: Text, from top: Double, in box: LayoutRect) -> [Shape] {
        let left = box.x - frame.x
        var shapes: [Shape] = []
        shapes.append(textShape(title, left, top, box.width, lines: 1))
        let below = top + title.lineHeight
        guard frame.height - below >= (Self.factSize * 1.28).rounded(.up) else { return shapes }
        let mark = rankMark(atX: box.x, y: frame.y + below, size: Self.factSize)
        let start = mark.width > 0 ? mark.width + 5 : 0
        return shapes + mark.shapes
            + ratingLine(
                atX: box.x + start, y: frame.y + below, size: Self.factSize, fact: card.lines.first,
                width: box.width - start
            ).shapes
    }

    /// How the rank has changed: a word, or an arrow and so many places.
    /// - Returns: what to draw, and how wide it is.
    private func rankMark(atX x: Double, y: Double, size: Double) -> (shapes: [Shape], width: Double) {
        guard let change = card.rankChange else { return ([], 0) }
        let (sign, word, color): (Symbol?, String, Color) =
            switch change {
            case .new: (nil, phrases.new, theme.accent)
            case .stayed: (.minus, "", theme.secondaryText)
            case .rose(let places): (.chevronUp, String(places), Theme.color(of: .everyone).fill)
            case .fell(let places): (.chevronDown, String(places), Theme.color(of: .adult).fill)
            }
        let text = Text(word, size, .bold, color)
        let height = text.lineHeight
        let start = sign == nil ? 0 : size + 2
        let width = word.isEmpty ? 0 : TextRuler.width(of: text) + 1
        let square = LayoutRect(x: x, y: y + (height - size) / 2, width: size, height: size).inset(size * 0.1)
        return (
            (sign.map { [.symbol(square, $0, color)] } ?? [])
                + (word.isEmpty ? [] : [.text(LayoutRect(x: x + start, y: y, width: width, height: height), text)]),
            start + width
        )
    }

    /// A large number with the poster: on it in a narrow frame, half behind it in one that is little wider, and in a
    /// wide one before it, with the words after it.
    var ranked: [Shape] {
        let number = String(card.rank ?? 0)
        if hasCaption || frame.width < frame.height * 0.6 {
            let bottom = hasCaption ? frame.width / (card.image?.aspect ?? 2.0 / 3) : frame.height
            var text = Text(number, min(54, frame.width * 0.4), .heavy, .white)
            text.outline = Color.black.opacity(0.75)
            let height = text.lineHeight
            return poster(isLettered: false)
                + [.text(rect(8, bottom - height, max(0, frame.width - 16), height), text)]
        }
        let aspect = card.image?.aspect ?? 2.0 / 3
        let width = min(frame.height * aspect, frame.width * 0.72)
        guard frame.width - width > frame.height else { return numberBehind(poster: width, number) }
        return numberedRow(poster: width, number)
    }

    private func numberBehind(poster width: Double, _ number: String) -> [Shape] {
        let place = rect(frame.width - width, 0, width, frame.height)
        let room = frame.width - width
        let size = min(frame.height * 0.72, (room + width * 0.16) / (0.66 * Double(number.utf8.count)))
        var text = Text(number, size, .heavy, theme.background)
        text.outline = theme.secondaryText
        let top = frame.height - text.lineHeight * 1.02
        return [
            .text(rect(0, top, room + width * 0.4, text.lineHeight), text),
            image(card.image, in: place, title: card.title),
        ] + star(in: place)
    }

    /// A line of a chart: the posters of all lines stand below each other, as there is room for a number of two digits
    /// before each.
    private func numberedRow(poster width: Double, _ number: String) -> [Shape] {
        let size = min(frame.height * 0.45, 56)
        let column = TextRuler.width(of: "00", size: size, weight: .heavy) + size * 0.2
        // A longer number is written smaller.
        let figure = TextRuler.fitted(Text(number, size, .heavy, theme.text), in: column - size * 0.2)
        let place = rect(column, 0, width, frame.height)
        var shapes: [Shape] = [
            .text(rect(0, (frame.height - figure.lineHeight) / 2, column, figure.lineHeight), figure),
            image(card.image, in: place),
        ]
        let x = column + width + 12
        let isMarked = card.star == .on || card.star == .pending
        let words = frame.width - x - (isMarked ? 30 : 0)
        if isMarked {
            shapes.append(
                .symbol(
                    rect(frame.width - 22, (frame.height - 20) / 2, 20, 20), card.star == .on ? .star : .starOutline,
                    theme.star))
        }
        guard words >= 60 else { return shapes }
        let title = Text(card.title, 15, .semibold, theme.text).lines(frame.height >= 76 ? 2 : 1)
        let titleHeight = TextRuler.height(of: title, in: words)
        let facts = card.lines.joined(separator: Words.factSeparator)
        let factHeight = (12 * 1.28).rounded(.up) + 2
        let hasMark = card.rankChange != nil
        let hasFacts = !facts.isEmpty || card.rating != nil
        let below = (hasFacts ? factHeight : 0) + (hasMark ? factHeight : 0)
        var y = max(0, (frame.height - titleHeight - below) / 2)
        shapes.append(textShape(title, x, y, words))
        y += titleHeight + 2
        if hasFacts, y + factHeight - 2 <= frame.height {
            shapes +=
                ratingLine(
                    atX: frame.x + x, y: frame.y + y, size: 12, fact: facts.isEmpty ? nil : facts, width: words
                ).shapes
            y += factHeight
        }
        if hasMark, y + factHeight - 2 <= frame.height {
            shapes += rankMark(atX: frame.x + x, y: frame.y + y, size: 12).shapes
        }
        return shapes
    }

    var tile: [Shape] {
        let whole = rect(0, 0, frame.width, frame.height)
        let inner = frame.width - 12
        // The longest names of genres, such as "Documentary", are about seven times as wide as their letters are high.
        let size = min(max(inner / 7, 9), 17)
        let name = Text(card.title, size, .bold, .white).aligned(.center).lines(2)
        let height = TextRuler.height(of: name, in: inner)
        return [
            image(card.image, in: whole, radius: 12),
            .box(whole, .color(Color.black.opacity(0.3)), radius: 12),
            textShape(name, 6, (frame.height - height) / 2, inner),
        ]
    }

    var person: [Shape] {
        let side = min(frame.height, frame.width * 0.34)
        let (x, width) = (side + 8, frame.width - side - 8)
        let name = Text(card.title, width < 80 ? 11 : 12.5, .semibold, theme.text).lines(2)
        let role = Text(card.lines.first ?? "", 11, .regular, theme.secondaryText).lines(2)
        let nameLines = TextRuler.lines(of: name, in: width)
        let room = frame.height - Double(nameLines) * name.lineHeight
        let roleLines = min(TextRuler.lines(of: role, in: width), Int(max(0, room) / role.lineHeight))
        let height =
            Double(nameLines) * name.lineHeight + (role.string.isEmpty ? 0 : Double(roleLines) * role.lineHeight)
        let top = max(0, (frame.height - height) / 2)
        var shapes = [
            image(card.image, in: rect(0, (frame.height - side) / 2, side, side), radius: side / 2),
            textShape(name, x, top, width, lines: nameLines),
        ]
        if !role.string.isEmpty, roleLines > 0 {
            shapes.append(textShape(role, x, top + Double(nameLines) * name.lineHeight, width, lines: roleLines))
        }
        return shapes
    }

    var row: [Shape] {
        let wide = min(frame.height * 1.5, frame.width * 0.45)
        let place = rect(0, 0, wide, frame.height)
        var shapes: [Shape] = [
            .box(rect(0, 0, frame.width, frame.height), .color(theme.surface), radius: Self.radius),
            .clipped(
                rect(0, 0, frame.width, frame.height), radius: Self.radius, [image(card.image, in: place, radius: 0)]),
        ]
        let (x, width) = (wide + 12, frame.width - wide - 24 - (card.star == .on || card.star == .pending ? 26 : 0))
        let title = Text(card.title, 15, .semibold, theme.text)
        let lines = card.lines.prefix(2).map { Text($0, 12, .regular, theme.secondaryText) }
        let hasMarks = card.rating != nil || card.certification != nil
        let first = lines.first.map { [$0] } ?? []
        let height = title.lineHeight + first.reduce(0) { $0 + $1.lineHeight } + (hasMarks ? 20 : 0)
        var y = max(0, (frame.height - height) / 2)
        shapes.append(textShape(title, x, y, width, lines: 1))
        y += title.lineHeight
        for line in first where y + line.lineHeight <= frame.height {
            shapes.append(textShape(line, x, y, width, lines: 1))
            y += line.lineHeight
        }
        if hasMarks, y + 20 <= frame.height {
            let rating = ratingLine(atX: frame.x + x, y: frame.y + y + 3, size: 12)
            let gap = rating.width > 0 ? rating.width + 6 : 0
            shapes += rating.shapes + certificate(atX: frame.x + x + gap, y: frame.y + y + 3).shapes
        }
        if card.star == .on || card.star == .pending {
            shapes.append(
                .symbol(
                    rect(frame.width - 32, (frame.height - 20) / 2, 20, 20), card.star == .on ? .star : .starOutline,
                    theme.star))
        }
        return shapes
    }

    /// A backdrop, the poster over its edge, then everything that is known; as high as that takes.
    var detail: (shapes: [Shape], height: Double) {
        let width = frame.width
        // On a wide screen the backdrop leaves room for what is said below it.
        let backdropHeight = min(width * 9 / 16, Self.highestBackdrop)
        let posterWidth = min(116, width * 0.3)
        let posterHeight = posterWidth * 1.5
        let posterTop = backdropHeight - posterHeight * 0.45
        let backdrop = rect(0, 0, width, backdropHeight)
        var shapes = [
            image(card.backdrop, in: backdrop, radius: 0),
            // A little longer than the image, whose last row of pixels would shine through at its edge.
            scrim(
                LayoutRect(x: backdrop.x, y: backdrop.y, width: backdrop.width, height: backdrop.height + 1),
                from: theme.background.opacity(0.05), to: theme.background),
            image(card.image, in: rect(margin, posterTop, posterWidth, posterHeight)),
        ]
        shapes += star(in: rect(0, 8, width - 8, backdropHeight), size: 38, showsOff: true)

        // Beside the poster.
        let x = margin + posterWidth + 14
        let beside = width - x - margin
        var y = backdropHeight - 18
        let title = Text(card.title, 22, .bold, theme.text).lines(2)
        shapes.append(textShape(title, x, y, beside))
        y += TextRuler.height(of: title, in: beside)
        if card.lines.count > 1, let original = card.lines.first {
            let text = Text(original, 13, .regular, theme.secondaryText)
            shapes.append(textShape(text, x, y, beside, lines: 1))
            y += text.lineHeight
        }
        let rating = ratingLine(atX: frame.x + x, y: frame.y + y + 5, size: 14, isStrong: true)
        shapes += rating.shapes
        y = max(y + (rating.width > 0 ? 24 : 0), posterTop + posterHeight) + 16

        // Below it.
        let inner = width - 2 * margin
        let mark = certificate(atX: frame.x + margin, y: frame.y + y, height: 20)
        shapes += mark.shapes
        if mark.width > 0, let label = card.certification?.label, !label.isEmpty {
            let text = Text(Words.clean(label), 13, .regular, theme.secondaryText)
            shapes.append(textShape(text, margin + mark.width + 8, y + 1.5, max(1, inner - mark.width - 8), lines: 1))
        }
        if mark.width > 0 { y += 30 }
        func add(_ text: Text, gap: Double) {
            guard !text.string.isEmpty else { return }
            shapes.append(textShape(text, margin, y, inner))
            y += TextRuler.height(of: text, in: inner) + gap
        }
        add(Text(card.lines.last ?? "", 13, .regular, theme.secondaryText).lines(2), gap: 10)
        if let tagline = card.tagline { add(Text(tagline, 15, .regular, theme.text).italic().lines(2), gap: 10) }
        if let prose = card.prose {
            let all = Text(prose, 14, .regular, theme.text.opacity(0.9)).lines(Self.proseLines)
            let needed = TextRuler.lines(of: all, in: inner)
            add(all.lines(isExpanded ? needed : min(needed, Self.foldedLines)), gap: 2)
            if needed > Self.foldedLines {
                add(Text(isExpanded ? phrases.less : phrases.more, 13, .semibold, theme.accent), gap: 0)
            }
            y += 10
        }
        if !card.words.isEmpty {
            let names = card.words.joined(separator: ", ")
            var text = Text("\(phrases.director) \(names)", 13, .semibold, theme.text).lines(2)
            text.highlight = Text.Highlight(part: phrases.director, color: theme.secondaryText)
            add(text, gap: 10)
        }
        return (shapes, y + 6)
    }

    /// Lines of running text, folded and unfolded.
    private static let (foldedLines, proseLines) = (2, 60)
    /// Points.
    private static let highestBackdrop = 300.0
}
