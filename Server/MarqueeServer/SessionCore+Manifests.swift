import MarqueeDiff
import MarqueeModel
import MarqueeWire

// Where a client holds what is not known here any more, it is asked to describe it: the manifest of a section costs
// sixteen bytes an item, and the patch that answers it what has changed.

extension SessionCore {
    /// A manifest that the client was asked for and that has not come whole. Clients answer each question, in their
    /// order.
    struct ManifestQuestion {
        var handle: UInt64
        /// Items that are expected.
        var expected: Int
        /// Whether the answer is still of use.
        var isOpen = true
        var answer: ContentManifest?

        /// Items to be reckoned with.
        var items: Int { isOpen ? max(expected, answer?.pairs.count ?? 0) : 0 }
    }

    /// Asks for the manifests that are wanted, as many as may be there at once; the others have their turn when these
    /// are used.
    mutating func askForManifests() {
        mayAskForManifests = false
        var items = questions.reduce(0) { $0 + $1.items } + manifests.values.reduce(0) { $0 + $1.pairs.count }
        var asked = Set(questions.lazy.filter(\.isOpen).map(\.handle))
        for id in subscriptions.keys.sorted() {
            guard let subscription = subscriptions[id], subscription.needsJoin else { continue }
            var sections: [RebaseSection] = []
            for variant in subscription.variants
            where subscription.wantsManifest(variant) && manifests[variant.handle] == nil
                && !asked.contains(variant.handle)
            {
                let expected = variant.current.version.items.count
                guard questions.count < SessionSettings.manifestQuestions,
                    items == 0 || items + expected <= SessionSettings.manifestPairs
                else {
                    mayAskForManifests = true
                    break
                }
                items += expected
                asked.insert(variant.handle)
                questions.append(ManifestQuestion(handle: variant.handle, expected: expected))
                sections.append(RebaseSection(section: variant.section, handle: variant.handle))
            }
            if !sections.isEmpty { say(.rebase(Rebase(subscription: id, sections: sections))) }
        }
    }

    /// Whether the manifest of a handle is on its way.
    func isAsked(_ handle: UInt64) -> Bool { questions.contains { $0.isOpen && $0.handle == handle } }

    /// A part of a manifest has come.
    mutating func manifest(_ part: Manifest) -> [Action] {
        guard var question = questions.first, question.handle == part.handle else {
            return fail(
                .failedPrecondition, "MANIFEST_UNEXPECTED", "no manifest was asked for, or another one comes first")
        }
        manifestAwaitedSince = nil
        let pairs = part.contentPairs
        var answer = question.answer ?? ContentManifest(sum: part.sum, headHash: part.headHash, pairs: [])
        guard answer.sum == part.sum, answer.headHash == part.headHash, !part.more || !pairs.isEmpty else {
            return fail(.invalidArgument, "MANIFEST_INVALID", "the parts of a manifest contradict each other")
        }
        answer.pairs += pairs
        guard answer.pairs.count <= Int(settings.limits.listItems) else {
            return fail(
                .outOfRange, "MANIFEST_INVALID", "a manifest has more than \(settings.limits.listItems) items")
        }
        question.answer = answer
        questions[0] = question
        if part.more { return [] }
        questions.removeFirst()
        if question.isOpen { use(answer, of: part.handle) }
        return []
    }

    private mutating func use(_ manifest: ContentManifest, of handle: UInt64) {
        guard let owner = owners[handle], let subscription = subscriptions[owner],
            let variant = subscription.variants.first(where: { $0.handle == handle }),
            subscription.wantsManifest(variant)
        else { return }
        let content = variant.current.content
        let isNewest = manifest.sum == variant.current.version.sum
        if isNewest || (variant.refusals == 0 && library.version(manifest.sum, of: content) != nil) {
            // The base is known here after all.
            change(handle) { $0.held = Held(sum: manifest.sum, handle: handle, content: content) }
        } else if manifest.sum == Version.empty.sum
            || manifests.values.reduce(manifest.pairs.count, { $0 + $1.pairs.count }) > SessionSettings.manifestPairs
        {
            change(handle) { $0.isUnknown = false }
        } else {
            manifests[handle] = manifest
        }
    }

    /// What the client describes of a handle is of no use any more; it may be on its way still.
    mutating func forgetManifest(_ handle: UInt64) {
        manifests[handle] = nil
        for index in questions.indices where questions[index].handle == handle { questions[index].isOpen = false }
    }
}
