import MarqueeLayout
import MarqueeModel

/// Rows of a list and lines of a chart.
extension CardDrawing {
    /// A large number with the poster: on it in a narrow frame, half behind it in a slightly wider one, and before it
    /// in a wide one, followed by the words.
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
        return numberedRow(poster: card.omitsImage ? 0 : width, number)
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

    /// A line of a chart: the posters of all lines are aligned, because each leaves room for a two-digit number.
    private func numberedRow(poster width: Double, _ number: String) -> [Shape] {
        let size = min(frame.height * 0.45, 56)
        let column = TextRuler.width(of: "00", size: size, weight: .heavy) + size * 0.2
        // A longer number is smaller.
        let figure = TextRuler.fitted(Text(number, size, .heavy, theme.text), in: column - size * 0.2)
        let place = rect(column, 0, width, frame.height)
        var shapes: [Shape] = [
            .text(rect(0, (frame.height - figure.lineHeight) / 2, column, figure.lineHeight), figure)
        ]
        if width > 0 { shapes.append(image(card.image, in: place)) }
        let x = column + width + (width > 0 ? 12 : 4)
        let end = frame.width - (hasStarRoom ? 30 : 0)
        let side = trailing(from: x, to: end)
        shapes += side.shapes + star(atRight: frame.width - 2)
        let words = end - x - side.width
        guard words >= 60 else { return shapes }
        var title = Text(card.title, 15, .semibold, theme.text)
        var facts = Words.joined(card.overline, card.lines.joined(separator: Words.factSeparator))
        let factHeight = (12 * 1.28).rounded(.up) + 2
        title.lines = frame.height >= 2 * title.lineHeight + factHeight ? 2 : 1
        let titleHeight = TextRuler.height(of: title, in: words)
        let hasMark = card.rankChange != nil
        let hasFacts = !facts.isEmpty || card.rating != nil || !card.badges.isEmpty
        // Facts that don't fit beside the rating go on a line of their own, if there is room for one.
        let rest = ratingLine(atX: 0, y: 0, size: 12, fact: nil, width: words).width
        let isFolded =
            card.rating != nil && card.badges.isEmpty && !facts.isEmpty
            && rest + TextRuler.width(of: " · \(facts)", size: 12, weight: .regular) > words
            && titleHeight + (hasMark ? 3 : 2) * factHeight <= frame.height
        let folded = isFolded ? facts : ""
        if isFolded { facts = "" }
        // The movement stands before the facts if there is no separate line for it.
        let isJoined = titleHeight + 2 * factHeight > frame.height
        let lines = (hasFacts ? 1.0 : 0) + (isFolded ? 1 : 0) + (hasMark && !(isJoined && hasFacts) ? 1 : 0)
        var y = max(0, (frame.height - titleHeight - lines * factHeight) / 2)
        shapes.append(textShape(title, x, y, words))
        y += titleHeight + 2
        if hasFacts, y + factHeight - 2 <= frame.height {
            let mark = isJoined ? rankMark(atX: frame.x + x, y: frame.y + y, size: 12) : ([], 0)
            let chips = badges(atX: frame.x + x + mark.1 + (mark.1 > 0 ? 6 : 0), y: frame.y + y, width: words / 2)
            let start = (mark.1 > 0 ? mark.1 + 6 : 0) + (chips.width > 0 ? chips.width + 6 : 0)
            shapes += mark.0 + chips.shapes
            shapes +=
                ratingLine(
                    atX: frame.x + x + start, y: frame.y + y, size: 12, fact: facts.isEmpty ? nil : facts,
                    width: words - start
                ).shapes
            y += factHeight
        }
        if isFolded {
            shapes.append(textShape(Text(folded, 12, .regular, theme.secondaryText), x, y, words, lines: 1))
            y += factHeight
        }
        if hasMark, !(isJoined && hasFacts), y + factHeight - 2 <= frame.height {
            shapes += rankMark(atX: frame.x + x, y: frame.y + y, size: 12).shapes
        }
        return shapes
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
        let whole = rect(0, 0, frame.width, frame.height)
        var shapes: [Shape] = [.box(whole, .color(theme.surface), radius: Self.radius)]
        var wide = 0.0
        if !card.omitsImage {
            // An image that isn't a photo is cropped to a photo's shape, so that all in a list look alike.
            let aspect = card.image.map { $0.role == .photo ? min($0.aspect, 1.5) : 1.5 } ?? 1.5
            wide = min(frame.height * aspect, frame.width * 0.45)
            let place = rect(0, 0, wide, frame.height)
            shapes.append(.clipped(whole, radius: Self.radius, [image(card.image, in: place, radius: 0)]))
        }
        let x = wide + 12
        let end = frame.width - 12 - (hasStarRoom ? 26 : 0)
        let side = trailing(from: x, to: end)
        let width = end - x - side.width
        shapes += side.shapes
        let overline = card.overline.map { [Text($0, 12, .semibold, theme.secondaryText)] } ?? []
        let title = Text(card.title, 15, .semibold, theme.text)
        let lines = card.lines.prefix(2).map { Text($0, 12, .regular, theme.secondaryText) }
        let hasMarks = card.rating != nil || !card.badges.isEmpty || card.progress != nil
        // As much as fits, the most important first: the title, a line, marks, the overline, then the rest.
        var room = frame.height - title.lineHeight - (lines.first?.lineHeight ?? 0) - (hasMarks ? 20 : 0)
        func takes(_ height: Double) -> Bool {
            guard room >= height else { return false }
            room -= height
            return true
        }
        let above = overline.filter { takes($0.lineHeight) }
        let titleLines = TextRuler.lines(of: title.lines(2), in: width) > 1 && takes(title.lineHeight) ? 2 : 1
        let below = lines.prefix(1) + lines.dropFirst().filter { takes($0.lineHeight) }
        var y = max(0, room / 2)
        for text in above + [title.lines(titleLines)] + below where y + text.lineHeight <= frame.height {
            shapes.append(textShape(text, x, y, width))
            y += TextRuler.height(of: text, in: width)
        }
        if hasMarks, y + 20 <= frame.height {
            let rating = ratingLine(atX: frame.x + x, y: frame.y + y + 3, size: 12, width: width)
            var taken = rating.width > 0 ? rating.width + 6 : 0
            let chips = badges(atX: frame.x + x + taken, y: frame.y + y + 3, width: width - taken)
            shapes += rating.shapes + chips.shapes
            taken += chips.width > 0 ? chips.width + 6 : 0
            // The bar shows the progress too, so the words may be left out.
            if let words = card.progress.map({ Text($0.words, 12, .regular, theme.secondaryText) }),
                TextRuler.width(of: words) <= width - taken
            {
                shapes.append(textShape(words, x + taken, y + 3, width - taken, lines: 1))
            }
        }
        if card.progress?.share != nil {
            shapes.append(
                .clipped(whole, radius: Self.radius, progressBar(in: rect(0, frame.height - 3, frame.width, 3))))
        }
        return shapes + star(atRight: frame.width - 12)
    }

    // MARK: - The star at the end of a row

    /// In all rows of a section, so that a star moves nothing.
    private var hasStarRoom: Bool { card.keepsStarRoom || card.star != .none }

    private func star(atRight right: Double) -> [Shape] {
        guard card.star == .on || card.star == .pending else { return [] }
        return [
            .symbol(
                rect(right - 20, (frame.height - 20) / 2, 20, 20), card.star == .on ? .star : .starOutline, theme.star)
        ]
    }
}
