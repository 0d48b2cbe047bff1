import MarqueeModel

/// One movie: the one chosen for a pool as long as it is in the query's genre, whatever its rank; otherwise the query's
/// first.
struct PoolMovie: SectionQuery {
    private let pool: String
    private let order: OrderName
    private let presentation: MoviePresentation
    private var choice: UInt64?
    private var shown: UInt64?

    init(pool: String, order: OrderName, presentation: MoviePresentation) {
        self.pool = pool
        self.order = order
        self.presentation = presentation
    }

    var triggers: Set<Trigger> {
        var triggers: Set<Trigger> = [.record(.pool(pool))]
        if let choice { triggers.insert(.record(.movie(choice))) }
        return triggers
    }
    var watches: [OrderWatch] { [OrderWatch(order: order, bound: 1)] }
    var total: Int { shown == nil ? 0 : 1 }

    func members(first limit: Int) -> [Member] { shown.map { [.number($0)] } ?? [] }

    mutating func reload(_ catalogue: inout Catalogue) {
        choice = catalogue.choice(of: pool)
        if let choice, catalogue.movie(choice)?.belongs(to: order.genre) == true {
            shown = choice
        } else {
            catalogue.prepare(order)
            shown = catalogue.movieID(in: order, at: 0)
        }
    }

    func item(of member: Member, _ maker: inout ItemMaker, in catalogue: Catalogue) -> MadeItem? {
        member.number.flatMap { presentation.item(of: $0, &maker, in: catalogue) }
    }
}
