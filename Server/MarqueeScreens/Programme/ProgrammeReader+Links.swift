import MarqueeModel
import Yams

/// What can be judged when all screens are known: where actions lead, and what can't be reached.
extension ProgrammeReader {
    /// Reports actions that lead to a screen that there is not.
    mutating func checkTargets(in programme: Programme) {
        for (target, node) in targets where !ProgrammeReader.isLink(target) && programme.screen(named: target) == nil {
            let known = programme.screens.map(\.pattern)
            let hint = NearestName.hint(for: target, among: programme.screens.map(\.family))
            let punctuation = hint.isEmpty ? "." : ""
            report(
                node,
                "the action leads to '\(target.prefix(64))', which is no screen of this programme\(hint)\(punctuation) It has "
                    + known.joined(separator: ", ") + "; a link has a scheme, such as https:")
        }
    }

    /// Whether a text begins with a scheme, such as `https:`.
    private static func isLink(_ target: String) -> Bool {
        guard let colon = target.firstIndex(of: ":"), let first = target.first, first.isASCII, first.isLetter else {
            return false
        }
        return target[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Warns of screens that people come to from others, and on which no section has room for a header: nothing there
    /// says where one is, and there is no place for a way back.
    mutating func checkWaysBack(in programme: Programme, _ nodes: [String: Node]) {
        for screen in programme.screens where screen.family != ScreenID.home.family {
            // A page's sections come with the content; what is on top of it is not known here.
            guard screen.pages.isEmpty, let node = nodes[screen.family] else { continue }
            let hasHeader = screen.sections.contains { section in
                guard let layout = section.layout else { return true }
                return layout.supplementaries.contains { $0.kind == "header" }
            }
            if hasHeader { continue }
            warn(
                node,
                "no layout of the screen '\(screen.pattern)' has a header, so its title and the way back have no place; add "
                    + "'header: {width: fw 1, height: est 50}' to the layout of its first section")
        }
    }

    /// Warns of pools that can't show what is chosen for them.
    mutating func checkPools(in programme: Programme, _ nodes: [String: Node]) {
        var sources: [String: Programme.Source] = [:]
        for screen in programme.screens {
            for section in screen.sections {
                let name: String
                switch section.source {
                case .pool(let pool, _), .shelfPool(let pool, _): name = pool
                default: continue
                }
                if let other = sources[name], other != section.source, let node = nodes[screen.family] {
                    warn(
                        node,
                        "the pool '\(name)' stands for different choices in this programme; the section '\(section.id)' "
                            + "can't show what is chosen for the other one. Give it a 'name' of its own")
                }
                sources[name] = section.source
            }
        }
    }
}
