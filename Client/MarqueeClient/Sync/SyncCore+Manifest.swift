import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension SyncCore {
    /// A version described to the server.
    struct Described {
        var handle: UInt64
        var version: Version
    }

    /// Describes, by hashes, the held version of each section that the server asks about; nothing for a section that is
    /// not held.
    mutating func describe(_ rebase: Rebase) -> [Action] {
        rebase.sections.flatMap { section -> [Action] in
            let held = link.subscriptions[rebase.subscription].flatMap {
                wanted[$0]?.content?.base(of: section.section)
            }
            if let held {
                let place = Place(subscription: rebase.subscription, section: section.section)
                link.subscriptions.described[place] = Described(handle: section.handle, version: held)
            }
            let content = ContentManifest(held ?? .empty)
            return Manifest.parts(of: content, handle: section.handle, limits: link.serverLimits).map {
                .send(.manifest($0))
            }
        }
    }

    /// The version that a staged patch starts from.
    func stageBase(_ patch: Patch, handle: UInt64) -> Version? {
        if patch.base == Version.empty.sum { return .empty }
        return link.subscriptions.described.values.first { $0.handle == handle && $0.version.sum == patch.base }?
            .version
    }
}
