import MarqueeLayout
import MarqueeModel

/// Cards dominated by an image.
extension CardDrawing {
    /// Letter sizes of the caption below a poster, in points.
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
        if card.progress?.share != nil {
            bottom -= 14
            let bar = min(width, 240)
            shapes += progressBar(in: rect((frame.width - bar) / 2, bottom, bar, 4), behind: .white.opacity(0.3))
            bottom -= 10
        }
        for line in card.lines.prefix(2).reversed() {
            let text = Text(line, 14, .regular, .white.opacity(0.85)).aligned(.center).lines(2).anchored(.bottom)
            bottom -= TextRuler.height(of: text, in: width)
            shapes.append(textShape(text, side, bottom, width))
            bottom -= 4
        }
        var title = Text(card.title, 30, .heavy, .white).aligned(.center).anchored(.bottom).lines(2)
        // The title may be a whole sentence.
        if TextRuler.lines(of: title.lines(3), in: width) > 2 {
            title = Text(card.title, 20, .bold, .white).aligned(.center).anchored(.bottom).lines(5)
        }
        bottom -= TextRuler.height(of: title, in: width) + 2
        if bottom > 0 { shapes.append(textShape(title, side, bottom, width)) }
        if let overline = card.overline {
            let text = Text(overline, 13, .semibold, .white.opacity(0.85)).aligned(.center)
            bottom -= text.lineHeight
            if bottom > 0 { shapes.append(textShape(text, side, bottom, width, lines: 1)) }
        }
        if !card.badges.isEmpty {
            bottom -= 26
            let taken = badges(atX: 0, y: 0, height: 18, width: width).width
            let x = frame.x + (frame.width - taken) / 2
            if bottom > 0 { shapes += badges(atX: x, y: frame.y + bottom, height: 18, width: width).shapes }
        }
        return shapes + star(in: rect(0, 10, frame.width - 8, 40), size: 30)
    }

    /// The main action as a button in the middle, others as symbols beside it.
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

    /// The poster at its aspect ratio, as tall as its frame allows; the title goes below if there is room, otherwise on
    /// it. In a frame much wider than the image it is a row, because so thin a slice of an image shows nothing.
    ///
    /// A record in a section without images is drawn as a row of its words, in a frame of any shape.
    var poster: [Shape] {
        if card.omitsImage { return row }
        let aspect = card.image?.aspect ?? 2.0 / 3
        return !hasCaption && frame.width > frame.height * 1.6 * max(1, aspect) ? row : poster(isLettered: true)
    }

    /// Whether there is room for a title below an image at its natural height.
    var hasCaption: Bool {
        let natural = frame.width / (card.image?.aspect ?? 2.0 / 3)
        return frame.height - natural >= Text(card.title, Self.titleSize, .semibold, theme.text).lineHeight + 4
    }

    /// - Parameter isLettered: whether the title is written on the poster if there is no room below.
    func poster(isLettered: Bool) -> [Shape] {
        let natural = frame.width / (card.image?.aspect ?? 2.0 / 3)
        let title = Text(card.title, Self.titleSize, .semibold, theme.text)
        let height = hasCaption ? natural : frame.height
        let place = rect(0, 0, frame.width, height)
        var shapes = [image(card.image, in: place, title: hasCaption || !isLettered ? nil : card.title)]
        if frame.width >= 110 {
            shapes += badges(atX: place.x + 7, y: place.y + 7, width: place.width - 14).shapes
        }
        shapes += progressBar(atFootOf: place)
        // A badge often occupies the upper corner.
        shapes += star(in: place, atBottom: hasCaption)
        if hasCaption { shapes += caption(title, from: height + 5, in: rect(0, 0, frame.width, frame.height)) }
        return shapes
    }

    /// A title, and a line of facts if there is room.
    private func caption(_ title: Text, from top: Double, in box: LayoutRect) -> [Shape] {
        let left = box.x - frame.x
        var shapes: [Shape] = []
        let fact = Text("", Self.factSize, .regular, theme.secondaryText)
        var y = top
        var room: Double { frame.height - y }
        if let overline = card.overline, room >= title.lineHeight + 2 * fact.lineHeight {
            let text = Text(overline, Self.factSize, .semibold, theme.secondaryText)
            shapes.append(textShape(text, left, y, box.width, lines: 1))
            y += text.lineHeight
        }
        // A second line of the title takes precedence over what follows the facts.
        let lines = room >= 2 * title.lineHeight + fact.lineHeight ? 2 : 1
        shapes.append(textShape(title.lines(lines), left, y, box.width))
        y += TextRuler.height(of: title.lines(lines), in: box.width)
        guard room >= fact.lineHeight else { return shapes }
        let mark = rankMark(atX: box.x, y: frame.y + y, size: Self.factSize)
        let start = mark.width > 0 ? mark.width + 5 : 0
        let facts = ratingLine(
            atX: box.x + start, y: frame.y + y, size: Self.factSize, fact: card.lines.first, width: box.width - start)
        shapes += mark.shapes + facts.shapes
        if start + facts.width > 0 { y += fact.lineHeight }
        if let price = card.price, room >= title.lineHeight {
            shapes.append(textShape(Text(price, Self.titleSize, .bold, theme.text), left, y, box.width, lines: 1))
            y += title.lineHeight
        }
        if let words = card.progress?.words, room >= fact.lineHeight {
            shapes.append(
                textShape(Text(words, Self.factSize, .regular, theme.secondaryText), left, y, box.width, lines: 1))
        }
        return shapes
    }

    /// How the rank has changed: a word, or an arrow and a number of places.
    /// - Returns: what to draw, and how wide it is.
    func rankMark(atX x: Double, y: Double, size: Double) -> (shapes: [Shape], width: Double) {
        guard let change = card.rankChange else { return ([], 0) }
        let (sign, word, color): (Symbol?, String, Color) =
            switch change {
            case .new: (nil, phrases.new, theme.accent)
            case .stayed: (.minus, "", theme.secondaryText)
            case .rose(let places): (.chevronUp, String(places), theme.color(of: .good).fill)
            case .fell(let places): (.chevronDown, String(places), theme.color(of: .bad).fill)
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

    var tile: [Shape] {
        let whole = rect(0, 0, frame.width, frame.height)
        let inner = frame.width - 12
        // The longest names of genres, such as "Documentary", are about seven times as wide as the letter size.
        let size = min(max(inner / 7, 9), 17)
        let name = Text(card.title, size, .bold, .white).aligned(.center).lines(2)
        let height = TextRuler.height(of: name, in: inner)
        let shapes: [Shape] = [
            image(card.image, in: whole, radius: 12), .box(whole, .color(Color.black.opacity(0.3)), radius: 12),
        ]
        let facts = card.lines.joined(separator: Words.factSeparator)
        let caption = Text(facts, Self.factSize, .regular, .white.opacity(0.85)).aligned(.center)
        guard !facts.isEmpty, frame.height >= height + caption.lineHeight + 8 else {
            return shapes + [textShape(name, 6, (frame.height - height) / 2, inner)]
        }
        let top = (frame.height - height - caption.lineHeight) / 2
        return shapes + [textShape(name, 6, top, inner), textShape(caption, 6, top + height, inner, lines: 1)]
    }
}
