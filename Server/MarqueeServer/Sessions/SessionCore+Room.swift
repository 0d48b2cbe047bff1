import MarqueeDiff
import MarqueeModel
import MarqueeWire

// A client limits the bytes of a cut, and of staged versions that no join has carried yet. Content beyond that is
// sent differently: sections are staged instead of being part of a cut, views are staged one after the other, and a
// section that is too large by itself fails alone.

extension SessionCore {
    /// Whether the client has room for a version of a view that is about to be staged.
    enum Room {
        case yes
        /// There will be room once other views have joined.
        case later
        /// The view would need more than the client accepts: the section has failed.
        case never
    }

    /// - Parameters:
    ///   - wanted: the bytes needed.
    ///   - index: the variant's index in its subscription.
    ///   - mayEvict: whether versions staged for other views may be dropped to make room; they are then staged again.
    mutating func makeRoom(
        for wanted: Int, _ index: Int, of id: UInt32, mayEvict: Bool, now: UInt64
    ) -> Room {
        guard let subscription = subscriptions[id] else { return .later }
        let limit = Int(clamping: clientLimits.cutBytes)
        let own = subscription.variants.reduce(0) {
            $0 + ($1.held?.isStaged == true ? stagedThere.bytes(of: $1.handle) : 0)
        }
        guard own + wanted <= limit else {
            let status = Status.sectionTooLarge(subscription.variants[index].section, limit: clientLimits.cutBytes)
            deferred += sectionFailed(index, of: id, status, now: now)
            return .never
        }
        if stagedThere.bytes + wanted <= limit { return .yes }
        guard mayEvict else { return .later }
        while stagedThere.bytes + wanted > limit, let handle = stagedThere.popFirst() {
            change(handle) { if $0.held?.isStaged == true { $0.held = nil } }
        }
        return .yes
    }

    /// Reduces a cut to the size that the client accepts: views that aren't shown yet join in a later one; if that
    /// isn't enough, sections are staged instead, those with the largest patches first.
    /// - Parameters:
    ///   - joining: the views that join.
    ///   - patches: from the versions that the client holds, by handle.
    ///   - later: receives the handles of views that join in a later cut.
    /// - Returns: `false` if something has to be staged first.
    mutating func fit(
        _ joining: inout [Subscription], _ patches: inout [(handle: UInt64, patch: VersionLibrary.Shared)],
        later: inout Set<UInt64>
    ) -> Bool {
        let limit = Int(clamping: clientLimits.cutBytes)
        var bytes = joining.reduce(0) { $0 + $1.joinSize } + patches.reduce(0) { $0 + $1.patch.encoded.bytes }
        while bytes > limit, joining.count > 1, let last = joining.lastIndex(where: { !$0.isLive }) {
            let handles = Set(joining[last].handles)
            bytes -= joining.remove(at: last).joinSize
            for (handle, patch) in patches where handles.contains(handle) { bytes -= patch.encoded.bytes }
            patches.removeAll { handles.contains($0.handle) }
            later.formUnion(handles)
        }
        guard bytes > limit else { return true }
        for (handle, patch) in patches.sorted(by: { $0.patch.encoded.bytes > $1.patch.encoded.bytes })
        where bytes > limit {
            bytes -= patch.encoded.bytes
            restage(handle, isLost: false)
        }
        // A cut that consists of joins alone can't be made smaller.
        return patches.isEmpty
    }
}

extension SessionCore.Subscription {
    /// Roughly the bytes of the frame with which it joins.
    fileprivate var joinSize: Int { variants.reduce(screen.utf8.count + 256) { $0 + $1.section.utf8.count + 32 } }
}

extension Version {
    /// The most bytes of the frames that stage it whole.
    var stagedSize: Int { encodedSize + encodedSize / 32 + 1_024 }

    /// The most bytes of the frames that stage a patch from a manifest.
    static let manifestedSize = VersionLibrary.manifestPatchBytes + VersionLibrary.manifestPatchBytes / 32 + 1_024
}

extension Status {
    /// - Parameter section: empty for the view's own list.
    static func sectionTooLarge(_ section: String, limit: UInt64) -> Status {
        Status(
            .resourceExhausted, reason: "SECTION_TOO_LARGE", remedy: .fatal,
            message:
                "section '\(section)' and what goes with it have more than the \(limit) bytes that the client takes")
    }
}
