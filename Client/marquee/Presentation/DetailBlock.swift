import MarqueeClient
import MarqueeModel

/// The facts of one movie, in lines.
struct DetailBlock {
    private static let indent = "  "

    var detail: DetailContent
    /// Of a favorite; empty if it isn't one.
    var sign: String
    var language = Language.english

    /// - Parameter limit: columns of a line, at most.
    func lines(within limit: Int, style: TextStyle) -> [String] {
        let room = max(1, limit - Self.indent.count)
        var lines: [String] = []
        func add(_ text: String, _ shown: (String) -> String = { $0 }) {
            let clean = Sanitizer.line(text)
            guard !clean.isEmpty else { return }
            lines.append(Self.indent + shown(TextWidth.truncate(clean, to: room)))
        }
        add(headline, style.bold)
        if let original = detail.originalTitle, original != detail.title {
            add(language("original title: \(original)", "원제: \(original)"))
        }
        add(detail.infoLine)
        add([certification, rating, revenue].compactMap { $0 }.joined(separator: " · "))
        if !detail.directors.isEmpty {
            let names = detail.directors.joined(separator: ", ")
            add(language("directed by \(names)", "감독: \(names)"))
        }
        if let tagline = detail.tagline { add(tagline, style.dim) }
        if let overview = detail.overview {
            lines += TextWidth.wrap(Sanitizer.line(overview), to: room).map { Self.indent + $0 }
        }
        return lines
    }

    private var headline: String {
        let year = detail.releaseDate.map { " (\($0.year))" } ?? ""
        return detail.title + year + (sign.isEmpty ? "" : "  \(sign)")
    }

    private var certification: String? {
        detail.certification.map { $0.label.isEmpty || $0.label == $0.code ? $0.code : "\($0.code) (\($0.label))" }
    }

    private var rating: String? {
        detail.voteAverage.map { average in
            let votes =
                detail.voteCount.map { count in
                    " (\(language(Words.count(count, "vote"), "\(Words.number(count))명 평가")))"
                } ?? ""
            return "★ \(Words.decimal(average))\(votes)"
        }
    }

    private var revenue: String? {
        detail.revenue.map { dollars in language("revenue \(Words.dollars(dollars))", "수익 \(Words.dollars(dollars))") }
    }
}
