import MarqueeClient

let client = MarqueeClient("127.0.0.1", user: "sample")
var shown: Screen?

for try await update in client.screen(.home) {
    print(update.status.isLive ? "live" : "as of \(update.screen.asOf)")
    if shown == nil {
        for section in update.screen.sections {
            print(section.title ?? section.id)
            for item in section.items { print("  \(item.id)") }
        }
    }
    let change = update.listUpdate(from: shown)
    for step in change.steps {
        for place in step.insertedItems { print("new at \(place)") }
        for (origin, place) in step.movedItems { print("moved from \(origin) to \(place)") }
    }
    for place in change.changedItems { print("changed: \(place)") }
    shown = update.screen
}
