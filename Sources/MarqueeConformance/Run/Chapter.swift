/// A chapter of Proto/PROTOCOL.md, by its number.
package struct Chapter: Hashable, Comparable, Sendable {
    package var number: Int

    package static let frames = Chapter(number: 2)
    package static let messages = Chapter(number: 3)
    package static let limits = Chapter(number: 4)
    package static let greeting = Chapter(number: 5)
    package static let bodies = Chapter(number: 6)
    package static let sums = Chapter(number: 7)
    package static let patches = Chapter(number: 8)
    package static let subscriptions = Chapter(number: 9)
    package static let staging = Chapter(number: 10)
    package static let cuts = Chapter(number: 11)
    package static let positions = Chapter(number: 12)
    package static let resume = Chapter(number: 13)
    package static let repair = Chapter(number: 14)
    package static let rebase = Chapter(number: 15)
    package static let liveness = Chapter(number: 16)
    package static let calls = Chapter(number: 17)
    package static let mutations = Chapter(number: 18)
    package static let collections = Chapter(number: 19)
    package static let kinds = Chapter(number: 20)
    package static let statuses = Chapter(number: 21)

    /// The chapter's heading, shortened.
    package var title: String { Chapter.titles[number] ?? "" }

    private static let titles = [
        2: "Frames", 3: "Messages and the guard", 4: "Limits", 5: "Hello and welcome", 6: "Bodies", 7: "Sums",
        8: "Patches and scripts", 9: "Subscriptions", 10: "Staged parts and join", 11: "Cuts",
        12: "Positions and progress", 13: "Resume", 14: "Nack and repair", 15: "Rebase and manifest",
        16: "Credit, liveness, ends", 17: "Calls", 18: "Mutations", 19: "Collections", 20: "Kinds of bodies",
        21: "Status, reasons, remedies",
    ]

    package static func < (a: Chapter, b: Chapter) -> Bool { a.number < b.number }
}
