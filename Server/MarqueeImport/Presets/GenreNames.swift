/// Korean names of TMDB's genres; the data set only has English ones.
enum GenreNames {
    static let korean: [UInt64: String] = [
        28: "액션", 12: "어드벤쳐", 16: "애니메이션", 35: "코미디", 80: "범죄", 99: "다큐멘터리", 18: "드라마",
        10751: "가족", 14: "판타지", 36: "역사", 27: "호러", 10402: "음악", 9648: "미스터리", 10749: "로맨스",
        878: "공상과학", 53: "스릴러", 10752: "전쟁", 37: "서부극",
    ]

    /// All names of a genre, given its English name.
    static func names(of genre: UInt64, english: String) -> [String: String] {
        var names = ["en": english]
        names["ko"] = korean[genre]
        return names
    }
}
