import MarqueeClient

let client = MarqueeClient("127.0.0.1", user: "sample")

for try await update in client.screen(.home) {
    print(update.status.isLive ? "live" : "as of \(update.screen.asOf)")
    for section in update.screen.sections {
        print(section.title ?? section.id)
        for item in section.items { print(item.favorite.isFavorite ? "★" : " ", item.id) }
    }
    if update.status.isLive, let subject = update.screen.sections.flatMap(\.items).compactMap(\.subject).first {
        let change = try await client.setFavorite(true, for: subject)
        print(try await client.result(of: change, within: .seconds(5)))
        break
    }
}
await client.close()
