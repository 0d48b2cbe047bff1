import MarqueeModel
import MarqueeTypes
import Yams

/// Reads values by audience: `header: [{audience: premium, use: For you}, Popular]`. Any value of a section may be such
/// a list. The section is read once for each combination of cases that a reader can meet.
extension ProgrammeReader {
    /// The keys of a section, or of a page's style, in which values may differ by audience.
    static let differing = ["kind", "header", "footer", "supplements", "layout", "empty", "source", "body"]

    /// A list of values by audience.
    private struct ReadCases {
        var readerships: [Programme.Readership]
        /// One more than there are readerships: the last one is the fallback.
        var values: [Node]
    }

    /// A list's position in the file.
    private struct Place: Hashable {
        var line: Int
        var column: Int

        init?(_ node: Node) {
            guard let mark = node.mark else { return nil }
            (line, column) = (mark.line, mark.column)
        }
    }

    private typealias AllCases = [Place: ReadCases]

    /// Reads what readers get of a section.
    ///
    /// - Parameters:
    ///   - keys: those of the node in which values may differ.
    ///   - read: reads the section from a node without cases.
    mutating func renditions<Content: Hashable & Sendable>(
        of node: Node, in keys: [String] = differing, read: (inout ProgrammeReader, Node) -> Content?
    ) -> (fallback: Content?, others: Programme.Renditions<Content>?) {
        var all: AllCases = [:]
        var lists: [[Programme.Readership]] = []
        let before = mistakes.count
        for (key, value) in node.mapping ?? [:] where keys.contains(key.scalar?.string ?? "") {
            collect(value, isWhole: true, &all, &lists)
        }
        guard mistakes.count == before else { return (nil, nil) }
        guard !lists.isEmpty else { return (read(&self, node), nil) }
        guard let choices = choices(of: lists, at: node) else { return (nil, nil) }
        var fallback: Content?
        var others = Programme.Renditions<Content>(cases: lists)
        for choice in choices {
            let chosen = Dictionary(zip(lists, choice)) { first, _ in first }
            let content = readingOnce { read(&$0, Self.replacing(node, all, chosen)) }
            guard let content else { continue }
            let name = RenditionName(zip(lists, choice).map { list, index in index.map { list[$0] } })
            if name == .fallback { fallback = content }
            if let fallback, name != .fallback { others.add(content, named: name, fallback: fallback) }
        }
        return (fallback, others)
    }

    /// Reports a section that is private for some of its readers only: views and relays tell private sections apart.
    mutating func checkPrivacy(
        of section: Programme.Section, _ others: Programme.Renditions<Programme.Section>, at node: Node
    ) {
        if others.contents.values.allSatisfy({ $0.isPrivate == section.isPrivate }) { return }
        report(
            node.mapping?["source"] ?? node,
            "the section '\(section.id)' would show a user's own data to some audiences and not to others; make it two "
                + "sections, each with its 'audience'")
    }

    // MARK: - Finding the lists

    /// - Parameter isWhole: whether the node is the whole value of a section's key; none of these is a list otherwise.
    private mutating func collect(
        _ node: Node, isWhole: Bool = false, _ all: inout AllCases, _ lists: inout [[Programme.Readership]]
    ) {
        switch node {
        case .mapping(let mapping): for (_, value) in mapping { collect(value, &all, &lists) }
        case .sequence(let sequence):
            guard isWhole || Self.isCases(node) else {
                for value in sequence { collect(value, &all, &lists) }
                return
            }
            guard let place = Place(node), all[place] == nil, let cases = cases(node) else { return }
            all[place] = cases
            if !lists.contains(cases.readerships) { lists.append(cases.readerships) }
            if let nested = cases.values.first(where: Self.hasCases) {
                report(nested, "values by audience can't contain others; name several audiences in one list instead")
            }
        default: break
        }
    }

    private static func isCases(_ node: Node) -> Bool {
        guard case .sequence(let sequence) = node else { return false }
        return sequence.contains { $0.mapping?["audience"] != nil && $0.mapping?["use"] != nil }
    }

    private static func hasCases(_ node: Node) -> Bool {
        switch node {
        case .mapping(let mapping): mapping.contains { hasCases($0.value) }
        case .sequence(let sequence): isCases(node) || sequence.contains(where: hasCases)
        default: false
        }
    }

    // MARK: - Reading a list

    private mutating func cases(_ node: Node) -> ReadCases? {
        guard let entries = list(node, "values by audience", atMost: ProgrammeLimits.audienceCases) else { return nil }
        let before = mistakes.count
        var cases = ReadCases(readerships: [], values: [])
        for (index, entry) in entries.enumerated() {
            let isLast = index == entries.count - 1
            guard entry.mapping?["audience"] != nil else {
                cases.values.append(fallback(entry))
                if !isLast {
                    report(
                        entry,
                        "this value is for everybody, so those after it never apply: move it to the end of the list")
                }
                continue
            }
            let known = mistakes.count
            guard let fields = fields(entry, "a value by audience", allowed: ["audience", "use"]),
                mistakes.count == known, let readers = required("audience", in: fields),
                let value = required("use", in: fields),
                let readership = readership(readers)
            else { continue }
            if cases.readerships.contains(where: { readership.isWithin($0) }) {
                report(
                    entry,
                    "this value never applies: the ones before it are for all of '\(readership.name)'; move it before "
                        + "them, or remove it")
            }
            cases.readerships.append(readership)
            cases.values.append(value)
            if isLast {
                report(
                    entry,
                    "there is no value for everybody else: end the list with one that has no 'audience', such as "
                        + "{use: …}")
            }
        }
        if entries.isEmpty || (cases.readerships.isEmpty && mistakes.count == before) {
            report(node, "a list stands for values by audience here, as in [{audience: NAME, use: …}, {use: …}]")
        }
        return mistakes.count == before ? cases : nil
    }

    /// The value for everybody: `{use: …}`, or the value itself.
    private func fallback(_ node: Node) -> Node {
        if case .mapping(let mapping) = node, mapping.count == 1, let value = mapping["use"] { return value }
        return node
    }

    // MARK: - Combinations

    /// The combinations of cases that a reader can meet, that of the fallbacks first. In each, `nil` stands for the
    /// fallback of a list.
    private mutating func choices(of lists: [[Programme.Readership]], at node: Node) -> [[Int?]]? {
        typealias Combination = (
            choice: [Int?], admitting: Set<Programme.Readership>, refusing: Set<Programme.Readership>
        )
        var combinations: [Combination] = [([], [], [])]
        for list in lists {
            var longer: [Combination] = []
            for combination in combinations {
                for index in [Int?.none] + list.indices.map({ Int?.some($0) }) {
                    let refusing = combination.refusing.union(list.prefix(index ?? list.count))
                    let admitting = combination.admitting.union(index.map { [list[$0]] } ?? [])
                    // Nobody is both among a case's readers and not.
                    guard admitting.isDisjoint(with: refusing) else { continue }
                    longer.append((combination.choice + [index], admitting, refusing))
                }
            }
            guard longer.count <= ProgrammeLimits.renditions else {
                report(
                    node,
                    "the values by audience of this section combine to more than \(ProgrammeLimits.renditions) different "
                        + "ones; use the same audiences in more of the lists")
                return nil
            }
            combinations = longer
        }
        return combinations.map(\.choice)
    }

    /// The node with, in place of each list of cases, the value chosen from it.
    private static func replacing(_ node: Node, _ all: AllCases, _ chosen: [[Programme.Readership]: Int?]) -> Node {
        switch node {
        case .mapping(var mapping):
            for (key, value) in mapping { mapping[key] = replacing(value, all, chosen) }
            return .mapping(mapping)
        case .sequence(var sequence):
            if let cases = Place(node).flatMap({ all[$0] }) {
                let index = (chosen[cases.readerships] ?? nil) ?? cases.readerships.count
                return cases.values[index]
            }
            for index in sequence.indices { sequence[index] = replacing(sequence[index], all, chosen) }
            return .sequence(sequence)
        default: return node
        }
    }
}
