// Shows and follows the home screen of a server with its own types of records, such as `make run APP=podcasts`.
// Arguments, all optional: host, port, and the number of states to show.
import MarqueeClient

extension ScreenItem {
    var line: String {
        let star = favorite.isFavorite ? "★" : " "
        switch content {
        case .card(let card): return "\(star) \(card.title) \(card.subtitle ?? "")"
        // A record under its own kind: an app decodes it with the messages of its schema.
        case .encoded(let kind, let bytes): return "\(star) \(id), \(bytes.count) bytes of kind \(kind.rawValue)"
        }
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let host = arguments.first ?? "127.0.0.1"
let port = arguments.dropFirst().first.flatMap { Int($0) } ?? 7_420
let states = arguments.dropFirst(2).first.flatMap { Int($0) } ?? .max

let client = MarqueeClient(host, port: port, user: "sample")
var shown = 0

for try await update in client.screen(.home) {
    for section in update.screen.sections {
        print(section.title ?? section.id)
        for item in section.items { print("  \(item.line)") }
    }
    shown += 1
    // A subject is a record's type and id, both strings.
    if shown == 1 { try await client.setFavorite(true, for: "episode/c1") }
    if shown >= states { break }
}
await client.close()
