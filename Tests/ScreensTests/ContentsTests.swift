import MarqueeCatalogue
import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeScreens

/// Item contents for movies.
@Suite struct ContentsTests {
    private func certification(_ certificates: [String: String]?, locale: String = "en") -> CertificationContent {
        var movie = Movie(1)
        movie.certifications = certificates
        return Certification.content(of: movie, locale: locale)
    }

    @Test(
        arguments: [
            ("R", .adult, "Adults only", "청소년 관람불가"), ("NC-17", .adult, "Adults only", "청소년 관람불가"),
            ("PG", .everyone, "Everyone", "전체 관람가"), ("G", .everyone, "Everyone", "전체 관람가"),
            ("PG-13", .teen, "15 and over", "15세 이상 관람가"), ("NR", .unrated, "Not rated", "등급 없음"),
            ("TV-MA", .unrated, "Not rated", "등급 없음"),
        ] as [(String, CertificationContent.ColorClass, String, String)])
    func `A certificate has a color and a label`(
        code: String, color: CertificationContent.ColorClass, english: String, korean: String
    ) {
        let content = certification(["US": code, "KR": "15"])
        #expect(content == CertificationContent(country: "US", code: code, label: english, colorClass: color))
        #expect(certification(["US": code], locale: "ko").label == korean)
    }

    @Test func `Without an American certificate a movie is not rated`() {
        for certificates in [nil, [:], ["KR": "15"], ["US": ""], ["US": " "]] as [[String: String]?] {
            #expect(certification(certificates).code == "NR")
        }
        #expect(certification(["US": "PG-13 "]).code == "PG-13")
    }

    @Test func `A title falls back to the original one`() {
        var movie = Movie(1, "Seven Samurai")
        movie.originalTitle = "七人の侍"
        #expect(movie.localizedTitle(in: "en") == "Seven Samurai")
        #expect(movie.localizedTitle(in: "ko") == "七人の侍")
        movie.titles = ["ko": "7인의 사무라이", "fr": ""]
        #expect(movie.localizedTitle(in: "ko") == "7인의 사무라이")
        #expect(movie.localizedTitle(in: "ko-KR") == "7인의 사무라이")
        #expect(movie.localizedTitle(in: "fr") == "七人の侍")
        movie.originalTitle = nil
        #expect(movie.localizedTitle(in: "fr") == "Seven Samurai")
    }

    @Test func `A genre falls back to English`() {
        #expect(Genre(id: 1, names: ["en": "War", "ko": "전쟁"]).localizedName(in: "ko") == "전쟁")
        #expect(Genre(id: 1, names: ["en": "War"]).localizedName(in: "ko") == "War")
        #expect(Genre(id: 1, names: [:]).localizedName(in: "ko") == nil)
    }

    @Test func `The info line leaves out what is missing`() {
        var catalogue = Catalogue()
        _ = catalogue.apply(.genre(Genre(id: 28, names: ["en": "Action"])))
        var movie = Movie(1, genres: [28, 5], released: "2010-07-15")
        movie.countries = ["US", "GB"]
        movie.runtime = 148
        #expect(catalogue.detail(of: movie, locale: "en").infoLine == "2010.07.15 │ US │ Action │ 148 min")
        movie.countries = nil
        movie.runtime = 0
        #expect(catalogue.detail(of: movie, locale: "en").infoLine == "2010.07.15 │ Action")
        #expect(catalogue.detail(of: Movie(2), locale: "en").infoLine == "")
    }

    @Test func `Long texts are cut between characters`() {
        #expect("abc".clipped(to: 3) == "abc")
        #expect("abcd".clipped(to: 3) == "abc")
        #expect("가나".clipped(to: 5) == "가")
    }
}
