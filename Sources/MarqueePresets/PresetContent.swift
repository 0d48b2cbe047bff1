public import MarqueeModel
internal import MarqueeWire

/// The content of an item of a preset kind.
public enum PresetContent: Hashable, Sendable {
    case movie(MovieContent)
    case genre(GenreContent)
    case credit(CreditContent)
    case banner(BannerContent)
    case text(TextContent)
    case course(CourseContent)
    case categories([String])
    case detail(DetailContent)
    case chartEntry(ChartEntryContent)
    case place(PlaceContent)
}

extension ItemContent {
    /// The content of an item of a preset kind, decoded from the bytes on every access. `nil` for any other kind, and
    /// for bytes that can't be decoded.
    public var preset: PresetContent? {
        guard case .encoded(let kind, let bytes) = self else { return nil }
        return PresetContent(kind: kind, bytes: bytes)
    }

    /// The content as an item carries it.
    public static func preset(_ content: PresetContent) -> ItemContent {
        .encoded(kind: content.kind, bytes: content.encoded())
    }
}

extension PresetContent {
    /// The kind of an item that shows this.
    public var kind: ItemKind {
        switch self {
        case .movie: .movie
        case .genre: .genre
        case .credit: .credit
        case .banner: .banner
        case .text: .text
        case .course: .course
        case .categories: .categories
        case .detail: .detail
        case .chartEntry: .chartEntry
        case .place: .place
        }
    }

    /// Categories arranged in two rows: split in the middle, with the extra one of an odd number above. `nil` for other
    /// content.
    public var categoryRows: (above: [String], below: [String])? {
        guard case .categories(let titles) = self else { return nil }
        let middle = (titles.count + 1) / 2
        return (Array(titles[..<middle]), Array(titles[middle...]))
    }

    /// The body of an item that shows this. The same content always gives the same bytes, and they are canonical.
    public func encoded() -> [UInt8] {
        Packer.lend { packer in
            switch self {
            case .movie(let movie): packer.body(movie)
            case .genre(let genre): packer.body(genre)
            case .credit(let credit): packer.body(credit)
            case .banner(let banner): packer.body(banner)
            case .text(let text): packer.body(text)
            case .course(let course): packer.body(course)
            case .categories(let titles):
                packer.body(PresetProto.CategoriesBody.self) { ($0.n_titles, $0.titles) = packer.texts(titles) }
            case .detail(let detail): packer.body(detail)
            case .chartEntry(let entry): packer.body(entry)
            case .place(let place): packer.body(place)
            }
        }
    }

    /// - Returns: `nil` if no preset has that kind, or if the bytes can't be decoded.
    public init?(kind: ItemKind, bytes: [UInt8]) {
        let content: PresetContent? =
            switch kind {
            case .movie: Unpacker.body(bytes).map { .movie($0) }
            case .genre: Unpacker.body(bytes).map { .genre($0) }
            case .credit: Unpacker.body(bytes).map { .credit($0) }
            case .banner: Unpacker.body(bytes).map { .banner($0) }
            case .text: Unpacker.body(bytes).map { .text($0) }
            case .course: Unpacker.body(bytes).map { .course($0) }
            case .categories:
                Unpacker.body(PresetProto.CategoriesBody.self, bytes) { .categories($1.texts($0.n_titles, $0.titles)) }
            case .detail: Unpacker.body(bytes).map { .detail($0) }
            case .chartEntry: Unpacker.body(bytes).map { .chartEntry($0) }
            case .place: Unpacker.body(bytes).map { .place($0) }
            default: nil
            }
        guard let content else { return nil }
        self = content
    }
}
