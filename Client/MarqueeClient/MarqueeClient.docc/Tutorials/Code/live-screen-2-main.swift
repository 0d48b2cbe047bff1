import MarqueeClient

let client = MarqueeClient("127.0.0.1")

for try await update in client.screen(.home) {
    for section in update.screen.sections {
        print(section.title ?? section.id)
        for item in section.items { print("  \(item.id)") }
    }
}
