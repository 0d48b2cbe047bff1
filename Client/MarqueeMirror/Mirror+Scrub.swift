import GRDB
package import MarqueeDiff

/// The progress of a scrub. It starts over after the last section.
package struct ScrubCursor: Hashable, Sendable {
    /// The last section that was read.
    fileprivate var section: Int64 = 0
    /// Completed rounds over the whole mirror.
    package private(set) var rounds = 0

    package init() {}

    fileprivate mutating func startOver() {
        section = 0
        rounds += 1
    }
}

/// A stored list whose bytes have changed since it was stored.
package struct ScrubFinding: Hashable, Sendable {
    package var view: ViewID
    /// The section's id; empty for the view's own list.
    package var section: String
    package var detail: String

    package init(view: ViewID, section: String, detail: String) {
        self.view = view
        self.section = section
        self.detail = detail
    }
}

extension Mirror {
    /// Recomputes the sums of the next few sections from their bytes. Stops once it has read `MirrorLimit.scrubBytes`.
    ///
    /// - Returns: the damaged ones among them.
    package func scrub(_ cursor: inout ScrubCursor) throws(MirrorError) -> [ScrubFinding] {
        let (findings, next) = try read { db in
            var next = cursor
            var findings: [ScrubFinding] = []
            var bytes = 0
            while bytes < MirrorLimit.scrubBytes {
                guard let (view, row) = try SectionRow.next(after: next.section, db) else {
                    next.startOver()
                    break
                }
                next.section = row.key
                switch try row.load(db) {
                case .good(let version): bytes += version.items.reduce(row.head.count + 1) { $0 + $1.body.count }
                case .damaged(_, let detail, let base):
                    bytes += base.items.reduce(row.head.count + 1) { $0 + $1.body.count }
                    if let view { findings.append(ScrubFinding(view: view, section: row.name, detail: detail)) }
                }
            }
            return (findings, next)
        }
        cursor = next
        return findings
    }

    /// Overwrites stored versions in full with the given ones.
    package func rewrite(_ view: ViewID, _ versions: [String: Version]) throws(MirrorError) {
        try write(.later) { db in
            guard let row = try ViewRow.find(view, db) else { return }
            for (name, version) in versions {
                try SectionWriter(db: db, view: row.key, name: name).write(base: nil, target: version)
            }
        }
    }
}
