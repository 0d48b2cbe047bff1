import MarqueeCatalogue
import MarqueeModel

/// One record: the one in the screen's name, or a fixed one.
struct RecordDetail: SectionQuery {
    private let record: RecordID
    private let presentation: RecordPresentation
    private var isGone = false

    init(record: RecordID, presentation: RecordPresentation) {
        self.record = record
        self.presentation = presentation
    }

    var triggers: Set<Trigger> { [.record(.typed(record))] }
    var fault: SectionFault? { isGone ? .recordIsGone : nil }
    var total: Int { isGone ? 0 : 1 }

    func members(first limit: Int) -> [Member] { isGone ? [] : [.text(record.id)] }

    mutating func reload(_ catalogue: inout Catalogue) { isGone = !catalogue.records.contains(record) }

    mutating func follow(
        _ event: SectionEvent, in catalogue: Catalogue, _ work: inout ScreenCounters
    ) -> SectionReaction {
        guard case .record(let move) = event, move.id == record else { return .none }
        return (move.new == nil) == isGone ? .item(.text(record.id)) : .all
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        presentation.item(of: record, &maker, in: catalogue)
    }
}
