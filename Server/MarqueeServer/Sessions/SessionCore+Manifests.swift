import MarqueeDiff
import MarqueeModel
import MarqueeWire

// A client that holds a version unknown here is asked to describe it. A section's manifest takes sixteen bytes an item,
// and the patch made from it is only as large as the changes.

extension SessionCore {
    /// The manifests that the client was asked for, and those that it sent.
    struct Manifests {
        /// A manifest that was requested and has not arrived in full. Clients answer requests in order.
        struct Question {
            var handle: UInt64
            /// The expected number of items.
            var expected: Int
            /// Whether the answer is still needed.
            var isOpen = true
            /// The answer so far; it has no items if it isn't needed any more, or if there was no room for them.
            var answer: ContentManifest?
            /// The items that have arrived.
            var count = 0
            /// The answer's room in the budget that all sessions share.
            var held: ByteBudget.Reservation?
            /// Whether there was no room for the answer, so that the section is sent whole.
            var isLost = false

            /// The number of items to allow for.
            var items: Int { isOpen ? max(expected, count) : 0 }

            /// Drops the answer so far, and its room.
            mutating func drop() {
                answer?.pairs = []
                held = nil
            }
        }

        /// A manifest that has arrived, and its room in the budget.
        struct Received {
            var manifest: ContentManifest
            var held: ByteBudget.Reservation?
        }

        /// In the order in which the answers will arrive.
        var questions: [Question] = []
        /// Manifests that have arrived, by handle; each is kept until its patch is made.
        var received: [UInt64: Received] = [:]
        /// Whether there may be manifests to ask for.
        var mayAsk = false
        /// The time since which no part of a requested manifest has arrived.
        var awaitedSince: UInt64?

        /// Items of manifests that have arrived.
        var receivedItems: Int { received.values.reduce(0) { $0 + $1.manifest.pairs.count } }
        /// Items of manifests that have arrived or are expected.
        var items: Int { questions.reduce(receivedItems) { $0 + $1.items } }

        /// Whether the manifest of a handle is on its way.
        func isAsked(_ handle: UInt64) -> Bool { questions.contains { $0.isOpen && $0.handle == handle } }

        /// Drops the manifest of a handle, even if it is still on its way.
        mutating func forget(_ handle: UInt64) {
            received[handle] = nil
            for index in questions.indices where questions[index].handle == handle {
                questions[index].isOpen = false
                questions[index].drop()
            }
        }
    }

    /// Requests the wanted manifests, up to the number that may be held at once; the others follow once these have been
    /// used.
    mutating func askForManifests() {
        manifests.mayAsk = false
        var items = manifests.items
        var asked = Set(manifests.questions.lazy.filter(\.isOpen).map(\.handle))
        for id in subscriptions.stagingOrder {
            guard let subscription = subscriptions[id], subscription.needsJoin else { continue }
            var sections: [RebaseSection] = []
            for variant in subscription.variants
            where subscription.wantsManifest(variant) && manifests.received[variant.handle] == nil
                && !asked.contains(variant.handle)
            {
                let expected = variant.current.version.items.count
                guard manifests.questions.count < SessionSettings.manifestQuestions,
                    items == 0 || items + expected <= SessionSettings.manifestPairs
                else {
                    manifests.mayAsk = true
                    break
                }
                items += expected
                asked.insert(variant.handle)
                manifests.questions.append(Manifests.Question(handle: variant.handle, expected: expected))
                sections.append(RebaseSection(section: variant.section, handle: variant.handle))
            }
            if !sections.isEmpty { say(.rebase(Rebase(subscription: id, sections: sections))) }
        }
    }

    /// Handles a part of a manifest.
    mutating func manifest(_ part: Manifest) -> [Action] {
        guard var question = manifests.questions.first, question.handle == part.handle else {
            return fail(
                .failedPrecondition, "MANIFEST_UNEXPECTED", "no manifest was asked for, or another one comes first")
        }
        manifests.awaitedSince = nil
        let pairs = part.contentPairs
        var answer = question.answer ?? ContentManifest(sum: part.sum, headHash: part.headHash, pairs: [])
        guard answer.sum == part.sum, answer.headHash == part.headHash, !part.more || !pairs.isEmpty else {
            return fail(.invalidArgument, "MANIFEST_INVALID", "the parts of a manifest contradict each other")
        }
        question.count += pairs.count
        guard question.count <= Int(settings.limits.listItems) else {
            return fail(
                .outOfRange, "MANIFEST_INVALID", "a manifest has more than \(settings.limits.listItems) items")
        }
        // Cleared, so that the array has one owner and isn't copied for each part.
        question.answer = nil
        manifests.questions[0].answer = nil
        let keeps = question.isOpen && !question.isLost && makeRoom(for: pairs.count, in: &question)
        if keeps { answer.pairs += pairs }
        question.answer = answer
        if question.isLost { question.drop() }
        manifests.questions[0] = question
        if part.more { return [] }
        manifests.questions.removeFirst()
        guard question.isOpen else { return [] }
        if question.isLost {
            change(part.handle) { $0.isUnknown = false }
            return [.hit(.manifests)]
        }
        use(Manifests.Received(manifest: answer, held: question.held), of: part.handle)
        return []
    }

    /// Reserves room for items of an answer; marks the answer as lost if there is none.
    private func makeRoom(for pairs: Int, in question: inout Manifests.Question) -> Bool {
        question.held = question.held ?? budgets.manifests.reserve(0)
        question.isLost = question.held?.grow(by: pairs * SessionSettings.manifestPairBytes) != true
        return !question.isLost
    }

    private mutating func use(_ received: Manifests.Received, of handle: UInt64) {
        let manifest = received.manifest
        guard let owner = variants.owner(of: handle), let subscription = subscriptions[owner],
            let variant = subscription.variants.first(where: { $0.handle == handle }),
            subscription.wantsManifest(variant)
        else { return }
        let content = variant.current.content
        let isNewest = manifest.sum == variant.current.version.sum
        if isNewest || (variant.refusals == 0 && library.version(manifest.sum, of: content) != nil) {
            // The base is known here.
            change(handle) { $0.held = Held(sum: manifest.sum, handle: handle, content: content) }
        } else if manifest.sum == Version.empty.sum
            || manifests.receivedItems + manifest.pairs.count > SessionSettings.manifestPairs
        {
            change(handle) { $0.isUnknown = false }
        } else {
            manifests.received[handle] = received
        }
    }
}
