package import MarqueeDiff
import MarqueeModel

/// Joins the parts of one patch. Reusable for the next patch once one is complete.
package struct PatchAssembler: Sendable {
    private let limits: WireLimits
    private var joined: Part?
    private var bytes = 0

    /// - Parameter limits: this side's limits, of which `listItems` and `cutBytes` apply.
    package init(limits: WireLimits = .client) {
        self.limits = limits
    }

    /// Whether some but not all parts of a patch have been received.
    package var isUnfinished: Bool { joined != nil }

    /// Adds the next part.
    ///
    /// - Returns: the patch, once its last part is added. A part without a base starts from the empty version.
    /// - Throws: `mixedParts` for a part of a different patch, or for a head in a part other than the first;
    ///   `tooManyParts` when the parts exceed the limits. The incomplete patch is then dropped.
    package mutating func append(_ part: Part) throws(WireError) -> Patch? {
        defer {
            if joined?.more != true { self = PatchAssembler(limits: limits) }
        }
        var whole = joined ?? part
        let isFirst = joined == nil
        joined = nil
        if !isFirst {
            guard part.handle == whole.handle, part.base == whole.base, part.target == whole.target,
                part.count == whole.count, part.cut == whole.cut
            else { throw WireError(.mixedParts, "a part of a different patch among those of handle \(whole.handle)") }
            guard part.head == nil else { throw WireError(.mixedParts, "a head outside the first part of a patch") }
            whole.script += part.script
            whole.adds += part.adds
            whole.updates += part.updates
            whole.more = part.more
        }
        bytes += Self.size(part)
        guard bytes <= limits.cutBytes else {
            throw WireError(.tooManyParts, "a patch exceeds \(limits.cutBytes) bytes")
        }
        guard max(whole.adds.count, whole.updates.count) <= limits.listItems else {
            throw WireError(.tooManyParts, "a patch adds or updates more than \(limits.listItems) items")
        }
        joined = whole
        guard !whole.more else { return nil }
        return Patch(
            base: whole.base ?? Version.empty.sum, target: whole.target, script: whole.script, adds: whole.adds,
            updates: whole.updates, head: whole.head, count: Int(whole.count))
    }

    /// Approximate bytes a part occupies in memory.
    private static func size(_ part: Part) -> Int {
        let adds = part.adds.reduce(0) { $0 + $1.id.utf8.count + $1.subject.utf8.count + $1.body.count }
        let updates = part.updates.reduce(0) { $0 + $1.records.count }
        return part.script.count + adds + updates + (part.head?.records.count ?? 0)
    }
}
