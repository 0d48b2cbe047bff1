/// The language of the terminal view's own words: the screen's, if this program speaks it.
enum Language: Hashable, Sendable {
    case english
    case korean

    /// - Parameter locale: such as `ko` or `ko-KR`; English for any other language.
    init(locale: String) {
        let language = locale.lowercased().split { $0 == "-" || $0 == "_" }.first
        self = language == "ko" ? .korean : .english
    }

    /// The text in this language. Both stand side by side where they are used, so neither can be forgotten.
    func callAsFunction(_ english: @autoclosure () -> String, _ korean: @autoclosure () -> String) -> String {
        switch self {
        case .english: english()
        case .korean: korean()
        }
    }

    // MARK: - Counts and times

    func movies(_ count: some BinaryInteger) -> String {
        self(Words.count(count, "movie"), "영화 \(Words.number(count))편")
    }

    /// - Parameter isCapped: whether there are more than were counted.
    func matches(_ count: some BinaryInteger, isCapped: Bool = false) -> String {
        self(
            (isCapped ? "more than " : "") + Words.matches(count),
            "검색 결과 \(Words.number(count))개\(isCapped ? " 이상" : "")")
    }

    func ago(_ moment: Double, now: Double) -> String {
        guard self == .korean else { return Words.ago(moment, now: now) }
        let seconds = now - moment
        guard seconds >= 2 else { return "방금" }
        guard seconds.isFinite, seconds < 1e11 else { return "오래전" }
        let whole = Int(seconds)
        return switch whole {
        case ..<60: "\(whole)초 전"
        case ..<3_600: "\(whole / 60)분 전"
        case ..<86_400: "\(whole / 3_600)시간 전"
        default: "\(Words.number(whole / 86_400))일 전"
        }
    }
}
