package import MarqueeDiff
package import MarqueeModel
package import MarqueeWire

/// The views that a client holds if it verifies everything. Throws `Deviation` for a message that doesn't follow from
/// those before it.
package struct VerifiedViews: Sendable {
    package struct View: Sendable {
        package var generation: UInt32
        package var screen: String
        package var locale: String
        /// The handles by section; the view's own list has the empty name.
        package var handles: [String: UInt64] = [:]
        /// The versions by section; the view's own list has the empty name.
        package var contents: [String: Version] = [:]

        /// The view's own list of sections.
        package var own: Version { contents[""] ?? .empty }
        /// The ids of its sections, in order.
        package var sections: [String] { own.items.map(\.id) }
        package var isJoined: Bool { !handles.isEmpty }

        /// Returns the offer to resume this view on a later connection.
        package func resume(cut: Cut) -> Resume {
            Resume(
                cut: cut, viewSum: own.sum,
                sections: sections.map { HeldSection(section: $0, sum: contents[$0]?.sum ?? 0) })
        }
    }

    package var views: [UInt32: View] = [:]
    /// The versions that were offered when a view was subscribed to, by section.
    var offered: [UInt32: [String: Version]] = [:]
    /// Complete staged versions that no join has named yet, by handle.
    package private(set) var staged: [UInt64: Version] = [:]
    /// The versions whose manifests were sent to the server, by handle.
    var described: [UInt64: Version] = [:]
    /// Whether parts of a staged patch may arrive without its beginning, which was dropped for a nack.
    private var mayBeCutOff = false
    private var staging: (handle: UInt64, assembler: PatchAssembler)?

    // Staged parts

    mutating func stage(_ part: Part, isFirst: Bool) throws(Deviation) {
        if isFirst {
            staging = (part.handle, PatchAssembler())
        } else if let begun = staging {
            guard begun.handle == part.handle else {
                throw Deviation(
                    expected: "the next staged part of handle \(begun.handle), because its patch isn't complete (10)",
                    actual: "a part of handle \(part.handle) without the flag first")
            }
        } else if !mayBeCutOff {
            throw Deviation(
                expected: "the flag first on the first part of a staged patch (10)",
                actual: "stage without it: \(FrameText.part(part))")
        }
        guard var assembler = staging?.assembler else { return }
        guard let patch = try Self.append(part, to: &assembler) else {
            staging = (part.handle, assembler)
            return
        }
        staging = nil
        let base: Version
        if part.base == nil {
            base = .empty
        } else if let described = described[part.handle], described.sum == part.base {
            base = described
        } else {
            throw Deviation(
                expected: "a staged patch that starts from nothing, or from what a manifest described (10)",
                actual: FrameText.part(part))
        }
        staged[part.handle] = try Self.apply(patch, to: base, handle: part.handle)
    }

    /// Stores a version as if it had been staged and no join had named it yet.
    mutating func keepStaged(_ version: Version, for handle: UInt64) { staged[handle] = version }

    /// Drops the staged parts that a client drops when it sends a nack.
    mutating func dropStaged(handle: UInt64) {
        staging = nil
        mayBeCutOff = true
        staged[handle] = nil
    }

    // Cuts

    /// Applies one cut as a whole, from its first to its last frame.
    mutating func apply(_ messages: [Message]) throws(Deviation) {
        var changed: Set<UInt32> = []
        for case .join(let join) in messages where views[join.subscription] != nil {
            try bind(join)
            changed.insert(join.subscription)
        }
        var assembler = PatchAssembler()
        var begun: UInt64?
        var patched: Set<UInt64> = []
        for case .data(let part) in messages {
            if begun == nil {
                guard patched.insert(part.handle).inserted else {
                    throw Deviation(
                        expected: "at most one patch for each handle of a cut (11)", actual: "two for \(part.handle)")
                }
            } else if begun != part.handle {
                throw Deviation(
                    expected: "the parts of one patch in a row (11)", actual: "data of another handle between them")
            }
            guard let patch = try Self.append(part, to: &assembler) else {
                begun = part.handle
                continue
            }
            begun = nil
            if let subscription = try self.patch(part.handle, with: patch) { changed.insert(subscription) }
        }
        if let begun {
            throw Deviation(
                expected: "the last part of the patch for handle \(begun) before the cut ends (11)",
                actual: "no such part")
        }
        for subscription in changed {
            guard let view = views[subscription] else { continue }
            let bound = Set(view.handles.keys).subtracting([""])
            guard Set(view.sections) == bound else {
                throw Deviation(
                    expected: "the bound sections to be those of the view's own list, "
                        + view.sections.joined(separator: " ") + " (11)",
                    actual: bound.sorted().joined(separator: " "))
            }
        }
    }

    private mutating func bind(_ join: Join) throws(Deviation) {
        guard var view = views[join.subscription] else { return }
        let bindings =
            [Binding(section: "", handle: join.viewHandle, sum: join.viewSum)] + join.sections
        guard bindings.allSatisfy({ $0.handle > 0 }), Set(bindings.map(\.handle)).count == bindings.count else {
            throw Deviation(
                expected: "a handle above 0 for each section, none of them twice (9)",
                actual: bindings.map { String($0.handle) }.joined(separator: " "))
        }
        var contents: [String: Version] = [:]
        for binding in bindings {
            let candidates = [
                view.contents[binding.section], offered[join.subscription]?[binding.section], staged[binding.handle],
                .empty,
            ]
            guard let sum = binding.sum else {
                contents[binding.section] = (candidates[0] ?? candidates[1]) ?? .empty
                continue
            }
            guard let version = candidates.lazy.compactMap({ $0 }).first(where: { $0.sum == sum }) else {
                throw Deviation(
                    expected: "a join that names versions this side holds: shown, offered or staged (10)",
                    actual: "\(FrameText.hex(sum)) for '\(binding.section)', handle \(binding.handle)")
            }
            contents[binding.section] = version
        }
        view.generation = join.generation
        view.screen = join.screen
        view.locale = join.locale
        view.handles = Dictionary(bindings.map { ($0.section, $0.handle) }) { first, _ in first }
        view.contents = contents
        views[join.subscription] = view
        for binding in bindings { staged[binding.handle] = nil }
        offered[join.subscription] = nil
    }

    private static func append(_ part: Part, to assembler: inout PatchAssembler) throws(Deviation) -> Patch? {
        do {
            return try assembler.append(part)
        } catch {
            throw Deviation(expected: "parts of one patch that fit together (8)", actual: error.message)
        }
    }

    /// - Returns: the subscription that shows the handle; `nil` if none does, as after an unsubscribe.
    private mutating func patch(_ handle: UInt64, with patch: Patch) throws(Deviation) -> UInt32? {
        for (subscription, view) in views {
            guard let section = view.handles.first(where: { $0.value == handle })?.key else { continue }
            let base = patch.base == Version.empty.sum ? .empty : view.contents[section] ?? .empty
            views[subscription]?.contents[section] = try Self.apply(patch, to: base, handle: handle)
            return subscription
        }
        return nil
    }

    static func apply(_ patch: Patch, to base: Version, handle: UInt64) throws(Deviation) -> Version {
        do {
            return try base.applying(patch)
        } catch {
            throw Deviation(
                expected: "a patch for handle \(handle) that leads from \(FrameText.hex(base.sum)) to "
                    + "\(FrameText.hex(patch.target)) (8)",
                actual: error.message)
        }
    }
}
