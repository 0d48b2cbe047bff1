import MarqueeClient

let client = MarqueeClient(ClientConfiguration(host: "127.0.0.1", port: 7420))

for try await update in client.screen(.home) {
    for section in update.screen.sections {
        print(section.title ?? section.id)
        for item in section.items { print("  \(item.id)") }
    }
}
