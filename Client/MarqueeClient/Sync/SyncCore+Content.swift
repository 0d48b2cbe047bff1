package import MarqueeDiff
package import MarqueeMirror
package import MarqueeModel
package import MarqueeWire

extension SyncCore {
    /// The content held for a view.
    package struct ViewContent: Sendable {
        package var list: Version
        /// By section id.
        package var sections: [String: Version]
        /// Stored versions of sections whose bytes have changed, each with the sum of its current bytes. They are never
        /// shown, but a patch can start from one, so that only the damage has to be sent again. A damaged list of the
        /// view is here under the empty name; then `list` is the empty version, and all sections may be here.
        package var damaged: [String: Version]

        package init(list: Version, sections: [String: Version], damaged: [String: Version] = [:]) {
            self.list = list
            self.sections = sections
            self.damaged = damaged
        }

        /// The version that a patch of a section can start from.
        /// - Parameter section: empty for the view's own list.
        func base(of section: String) -> Version? {
            damaged[section] ?? (section.isEmpty ? list : sections[section])
        }
    }

    /// A cut in which every sum has been verified.
    package struct CutResult: Sendable {
        package struct ViewChange: Sendable {
            package var id: ViewID
            package var parameters: [SectionParameters]
            package var before: ViewContent?
            package var after: ViewContent
            /// Sections that the server could not update: they keep their content.
            package var missed: Set<String>
        }

        package var cut: Cut
        /// The parts of the cut's position that were named by frames with content. The parts named by skipped frames
        /// aren't proven.
        package var proven: CutChange
        package var views: [ViewChange]
        /// All views that are live after it.
        package var live: [ViewID]
        /// Those of them that are at the cut with all their sections.
        package var complete: [ViewID]
        var bindings: [UInt64: Place]
        /// Generations of the joins, by subscription.
        var joined: [UInt32: UInt32]
        var repaired: Bool
        /// Whether a live view rejoined without a request: the server shows its sections differently now.
        package internal(set) var hasRejoined: Bool
    }
}

extension SyncCore.CutResult.ViewChange {
    /// The part of the view that the mirror has to write: everything that differs by sum.
    package var write: ViewWrite {
        let isListStored = before?.list.sum == after.list.sum && before?.damaged[""] == nil
        return ViewWrite(
            id: id,
            parameters: parameters.map {
                StoredParameters(section: $0.section, sort: $0.sort, window: $0.window, place: $0.place)
            },
            list: isListStored ? nil : (before?.list, after.list),
            // Sorted, so that a simulated schedule stores the same bytes whenever it is replayed.
            sections: after.sections.compactMap { id, version in
                let old = before?.sections[id]
                return old?.sum == version.sum ? nil : (id, old, version)
            }.sorted { $0.id < $1.id },
            removedSections: before.map { before in
                Set(before.sections.keys).union(before.damaged.keys)
                    .filter { !$0.isEmpty && after.sections[$0] == nil }.sorted()
            } ?? [])
    }
}
