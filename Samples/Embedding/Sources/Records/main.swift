// Shows the home screen of a server with records of one's own, such as `make run APP=podcasts`, and follows it.
// Arguments: host, port, and the number of states to show; none of them is needed.
import MarqueeClient

extension ScreenItem {
    var line: String {
        let star = favorite.isFavorite ? "★" : " "
        switch content {
        case .card(let card): return "\(star) \(card.title) \(card.subtitle ?? "")"
        // A record under its own kind: an app decodes it with the messages of its schema.
        case .encoded(let kind, let bytes): return "\(star) \(id), \(bytes.count) bytes of kind \(kind.rawValue)"
        case .member: return "\(star) \(id)"
        }
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let host = arguments.first ?? "127.0.0.1"
let port = arguments.dropFirst().first.flatMap { Int($0) } ?? 7_420
let states = arguments.dropFirst(2).first.flatMap { Int($0) } ?? .max

let client = try MarqueeClient(ClientConfiguration(host: host, port: port, user: "sample", mirror: .memory))
var shown = 0

for try await update in client.screen(.home) {
    for section in update.screen.sections {
        print(section.head.header?.title ?? section.id)
        for item in section.items { print("  \(item.line)") }
    }
    shown += 1
    // A subject is the type and the id of a record, both texts.
    if shown == 1 { try await client.setFavorite("episode/c1", true) }
    if shown >= states { break }
}
await client.close()
