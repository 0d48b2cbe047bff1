import MarqueeModel
import Yams

/// Checks that need all screens: targets of actions, ways back, and pools.
extension ProgrammeReader {
    /// Reports actions that lead to a nonexistent screen.
    mutating func checkTargets(in programme: Programme) {
        for (target, node) in targets where !ProgrammeReader.isLink(target) && programme.screen(named: target) == nil {
            let known = programme.screens.map(\.pattern)
            let hint = NearestName.hint(for: target, among: programme.screens.map(\.family))
            let punctuation = hint.isEmpty ? "." : ""
            report(
                node,
                "the action leads to '\(target.prefix(64))', which isn't a screen in this programme\(hint)\(punctuation) It has "
                    + known.joined(separator: ", ") + "; a link has a scheme, such as https:")
        }
    }

    /// Whether a text starts with a scheme, such as `https:`.
    private static func isLink(_ target: String) -> Bool {
        guard let colon = target.firstIndex(of: ":"), let first = target.first, first.isASCII, first.isLetter else {
            return false
        }
        return target[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Warns about screens other than home in which no section has room for a header, so there is no place for a title
    /// and a way back.
    mutating func checkWaysBack(in programme: Programme, _ nodes: [String: Node]) {
        for screen in programme.screens where screen.family != ScreenID.home.family && !ownBars.contains(screen.family)
        {
            // A page's sections come from the catalogue, so they are unknown here.
            guard screen.pages.isEmpty, let node = nodes[screen.family] else { continue }
            let hasHeader = screen.allSections.contains { section in
                guard let layout = section.layout else { return true }
                return layout.supplementaries.contains(where: \.isHeader)
            }
            if hasHeader { continue }
            warn(
                node,
                "no layout of the screen '\(screen.pattern)' has a header, so there is no place for its title and a way back; add "
                    + "'header: {width: fw 1, height: est 50}' to the layout of its first section, or say 'bar: app' if the "
                    + "app has a bar of its own")
        }
    }

    /// Warns about actions that lead to the screen they are on, which do nothing.
    /// - Parameter first: the place of the screen's first target.
    mutating func checkTargets(from first: Int, of family: String) {
        for (target, node) in targets[first...] where target == family {
            warn(node, "the action leads to '\(family)', the screen that it is on, so nothing happens")
        }
    }

    /// Warns about pools of one name with different sources: a choice for one can't be shown by the other.
    mutating func checkPools(in programme: Programme, _ nodes: [String: Node]) {
        var sources: [String: Programme.Source] = [:]
        for screen in programme.screens {
            for section in screen.allSections {
                let name: String
                switch section.source {
                case .recordPool(let pool, _), .listPool(let pool, _):
                    name = pool
                default: continue
                }
                if let other = sources[name], other != section.source, let node = nodes[screen.family] {
                    warn(
                        node,
                        "the pool '\(name)' is used for different choices in this programme; the section '\(section.id)' "
                            + "can't show a choice meant for the other one. Give it its own 'name'")
                }
                sources[name] = section.source
            }
        }
    }
}

extension LayoutSupplementary {
    /// Whether viewers put a section's title there: kinds are arbitrary, so the edge counts too.
    fileprivate var isHeader: Bool { kind == "header" || edges.contains(.top) && kind != "footer" }
}
