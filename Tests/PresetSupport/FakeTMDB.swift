import Foundation

/// The answers of TMDB about a few movies, as a value.
package struct FakeTMDB {
    package struct Film {
        package var title: String
        package var korean: String?
        package var popularity = "10.5"
        package var date = "2026-11-22"
        package var certificate = "PG-13"
        package var director = 7

        package init(title: String, korean: String? = nil) { (self.title, self.korean) = (title, korean) }
    }

    package var films: [Int: Film] = [:]
    /// Pages by list.
    package var lists: [String: [[Int]]] = [:]
    /// Answers in place of the right ones: a status, and a body.
    package var wrong: [String: (status: Int, body: String)] = [:]

    /// - Parameter films: titles by id, all popular.
    package init(_ films: [Int: String]) {
        self.films = films.mapValues { Film(title: $0, korean: "\($0) (ko)") }
        lists["popular"] = [films.keys.sorted()]
    }

    /// - Parameter path: from the API's address on, with the query.
    package func answer(_ path: String) -> (status: Int, body: String) {
        if let wrong = wrong[path] { return wrong }
        let parts = path.split(separator: "?")
        let isKorean = path.contains("language=ko-KR")
        switch parts[0] {
        case "/configuration":
            return (
                200,
                #"{"images": {"secure_base_url": "https://image.example/t/p/", "poster_sizes": ["w92", "w500", "original"]}}"#
            )
        case "/genre/movie/list":
            return (200, #"{"genres": [{"id": 28, "name": "\#(isKorean ? "액션" : "Action")"}]}"#)
        default: break
        }
        let name = String(parts[0].dropFirst("/movie/".count))
        if let pages = lists[name] {
            let page = path.firstMatch(of: #/page=(\d+)/#).flatMap { Int($0.1) } ?? 1
            let results = pages.indices.contains(page - 1) ? pages[page - 1] : []
            return (
                200,
                #"{"page": \#(page), "results": [\#(results.map(listed).joined(separator: ", "))], "total_pages": \#(pages.count)}"#
            )
        }
        guard let id = Int(name), let film = films[id] else { return (404, #"{"status_code": 34}"#) }
        return (200, details(id, film, isKorean: isKorean))
    }

    /// The fields in a page of a list, fewer than in the details.
    private func listed(_ id: Int) -> String {
        #"{"id": \#(id), "title": "\#(films[id]?.title ?? "?")", "genre_ids": [28], "poster_path": null, "#
            + #""release_date": "", "overview": "Listed", "popularity": 1.5}"#
    }

    private func details(_ id: Int, _ film: Film, isKorean: Bool) -> String {
        let more = #"""
            , "credits": {"cast": [
                {"id": 9, "name": "Bo", "character": "Second", "order": 1, "popularity": "2.5"},
                {"id": 8, "name": "Ana", "character": "First", "order": 0, "profile_path": "/ana.jpg"}
              ], "crew": [{"id": \#(film.director), "name": "Cy", "job": "Director"}, {"id": 6, "name": "Di", "job": "Editor"}]},
            "release_dates": {"results": [{"iso_3166_1": "KR", "release_dates": [{"certification": "15"}]},
              {"iso_3166_1": "US", "release_dates": [{"certification": ""}, {"certification": "\#(film.certificate)"}]}]}
            """#
        return #"""
            {"id": \#(id), "title": "\#(isKorean ? film.korean ?? "" : film.title)", "original_title": "\#(film.title)",
            "release_date": "\#(film.date)", "runtime": "98", "genres": [{"id": 28, "name": "Action"}], "revenue": 0,
            "popularity": \#(film.popularity), "vote_average": 5.333, "vote_count": "6744", "poster_path": "/p\#(id).jpg",
            "tagline": "\#(isKorean ? "" : "Yes")", "overview": "Whole", "production_countries": [{"iso_3166_1": "US"}]
            \#(isKorean ? "" : more)}
            """#
    }
}
