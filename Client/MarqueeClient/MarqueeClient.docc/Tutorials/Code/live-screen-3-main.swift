import MarqueeClient

let client = MarqueeClient(ClientConfiguration(host: "127.0.0.1", port: 7420))

for try await update in client.screen(.home) {
    if update.isFirst {
        for section in update.screen.sections {
            print(section.title ?? section.id)
            for item in section.items { print("  \(item.id)") }
        }
    }
    for batch in update.changes.batches {
        for place in batch.insertedItems { print("new at \(place.section).\(place.item)") }
        for move in batch.movedItems { print("moved from \(move.from.item) to \(move.to.item)") }
    }
    for place in update.changes.reconfiguredItems { print("changed: \(place.section).\(place.item)") }
}
