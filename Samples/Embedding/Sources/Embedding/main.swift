// Shows the home screen of a Marquee server, marks a movie as a favorite, and sees the star arrive.
// Arguments, all optional: host, port, and the number of states to show.
import MarqueeClient
import MarqueePresets

extension ScreenItem {
    var line: String {
        let star = favorite.isFavorite ? "★" : " "
        switch content.preset {
        case .movie(let movie): return "\(star) \(movie.title)"
        case .chartEntry(let entry): return "\(star) \(entry.title)"
        case .genre(let genre): return "  \(genre.name)"
        default: return "  \(id)"
        }
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let host = arguments.first ?? "127.0.0.1"
let port = arguments.dropFirst().first.flatMap { Int($0) } ?? 7_420
let states = arguments.dropFirst(2).first.flatMap { Int($0) } ?? .max

var shown = 0

let client = MarqueeClient(host, port: port, user: "sample")

for try await update in client.screen(.home) {  // the stored screen at once, then each live state
    for section in update.screen.sections {
        print(section.title ?? section.id)
        for item in section.items { print("  \(item.line)") }
    }
    shown += 1
    if shown == 1 { try await client.setFavorite(true, for: .movie(27_205)) }  // kept offline, sent once
    if shown >= states { break }
}

if try await client.waitForConfirmation(within: .seconds(5)) { print("The server has confirmed the favorite.") }
await client.close()
