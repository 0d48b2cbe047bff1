public import MarqueeClient
import MarqueeDiff
package import MarqueeModel
import MarqueeWire

/// A section of a screen, made up by a test or a preview.
public struct SampleSection: Identifiable, Hashable, Sendable {
    /// Unique on its screen.
    public var id: String
    /// Everything except the items. A scripted server fills in `sort`, `window`, `total` and `hasMore`.
    package var head: SectionHead
    /// The text of its header, if it has one.
    public var title: String? {
        get { head.header?.title }
        set { head.header = newValue.map { Supplement(title: $0) } }
    }
    /// All items, in the default order; a window shows the first of them.
    ///
    /// Empty in a section that lists a collection: a scripted server fills it with those items of its screens whose
    /// subjects are members.
    public var items: [SampleItem]
    /// The number of items to expect before they arrive.
    public var placeholders: Int
    /// The ids of the items in each other order, by the order's id. Items not named come last.
    public var orders: [String: [String]]

    /// - Parameters:
    ///   - id: unique on its screen.
    ///   - kind: the section's kind.
    ///   - title: the title of its header, if it has one.
    ///   - layout: the layout of its items; `nil` leaves it to the section's kind.
    ///   - placeholders: the number of items to expect before they arrive.
    ///   - items: all items, in the default order.
    public init(
        _ id: String, kind: SectionKind = .list, title: String? = nil, layout: SectionLayout? = nil,
        placeholders: Int = 0, items: [SampleItem] = []
    ) {
        self.id = id
        self.items = items
        self.placeholders = placeholders
        orders = [:]
        head = SectionHead(kind: kind)
        head.header = title.map { Supplement(title: $0) }
        head.layout = layout
    }

    /// A section with the members of one of the user's collections, newest first.
    public static func members(
        of collection: CollectionName = .favorites, id: String? = nil, title: String? = nil
    ) -> SampleSection {
        var section = SampleSection(id ?? collection.name, kind: .favorites, title: title)
        section.head.collection = collection
        return section
    }

    /// Offers another order.
    /// - Parameters:
    ///   - sort: the id of the order.
    ///   - title: the order's title, for people to choose.
    ///   - ids: the ids of the items in that order. The first order offered is the default, the order of `items`.
    public func sorted(_ sort: String, title: String, ids: [String]? = nil) -> SampleSection {
        var section = self
        section.head.sorts.append(SortOption(id: sort, title: title))
        section.orders[sort] = ids
        return section
    }

    /// Shows only the first items until a reader requests more.
    /// - Parameter steps: numbers of items, ascending, such as 10, 20, 40.
    public func windowed(_ steps: [Int]) -> SampleSection {
        var section = self
        section.head.windows = steps.map { UInt32(clamping: $0) }
        return section
    }

    var reference: Item {
        let body = SectionReference(
            isPrivate: head.collection != nil, placeholders: UInt32(clamping: placeholders))
        return Item(id: id, kind: .section, body: BodyCodec.encode(body))
    }

    /// The section as shown.
    /// - Parameters:
    ///   - items: all items that it could show, in the default order.
    ///   - sort: `nil` for the default.
    ///   - window: the smallest number of items wanted; 0 for the default.
    func version(of items: [SampleItem], sort: String? = nil, window: UInt32 = 0) -> Version {
        var head = head
        head.sort = sort ?? head.sorts.first?.id ?? ""
        head.window = head.windows.first { $0 >= window } ?? head.windows.last ?? 0
        if window == 0 { head.window = head.windows.first ?? 0 }
        let sorted = orders[head.sort].map { Self.order(items, by: $0) } ?? items
        let shown = head.window == 0 ? sorted : Array(sorted.prefix(Int(head.window)))
        head.total = UInt32(clamping: items.count)
        head.hasMore = shown.count < items.count
        return Version(head: BodyCodec.encode(head), items: shown.map(\.item))
    }

    private static func order(_ items: [SampleItem], by ids: [String]) -> [SampleItem] {
        let places = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
        return items.enumerated().sorted {
            (places[$0.element.id] ?? .max, $0.offset) < (places[$1.element.id] ?? .max, $1.offset)
        }.map(\.element)
    }
}
