import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ServerChecks {
    /// Chapter 14.
    static let repair: [ServerCheck] = [
        ServerCheck("nack-repaired", .repair, "A nack is answered by a cut with repair of its number, and joins.") {
            stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            let section = try talk.largestSection(of: id)
            try await talk.refuse([section], of: id, number: 1)
            try await talk.untilRepaired(1)
            try await talk.expectAlive()
        },
        ServerCheck("refused-sent-anew", .repair, "A refused section is sent again, differently; the others aren't.") {
            stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            let section = try talk.largestSection(of: id)
            let handle = try talk.view(id).handles[section] ?? 0
            talk.forgetStagedHandles()
            let version = try talk.view(id).contents[section] ?? .empty
            talk.views.views[id]?.contents[section] = version.withoutFirstItem
            try await talk.refuse([section], of: id, number: 1)
            try await talk.untilRepaired(1)
            guard talk.stagedHandles.isSubset(of: [handle]) else {
                throw talk.failure("handle \(handle) alone", "staged: \(talk.stagedHandles.sorted())")
            }
            guard try talk.view(id).contents[section]?.sum != version.withoutFirstItem.sum else {
                throw talk.failure("the version of '\(section)' that was missing", "the refused version is still held")
            }
        },
        ServerCheck("nack-naming-nothing", .repair, "A client that names nothing gets everything again.") { stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            talk.forgetStagedHandles()
            let wanted = try talk.view(id).handles.filter {
                !(talk.views.views[id]?.contents[$0.key]?.items.isEmpty ?? true)
            }
            talk.views.views[id]?.contents = [:]
            let before = talk.dataFrames
            try await talk.refuse([], of: id, number: 1) { _ in [] }
            try await talk.untilRepaired(1)
            guard talk.dataFrames > before || talk.stagedHandles.isSuperset(of: wanted.values) else {
                throw talk.failure("all of the view", "staged: \(talk.stagedHandles.sorted())")
            }
        },
        ServerCheck("nack-naming-unknown", .repair, "A section named with an unknown sum is repaired as well.") {
            stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            let section = try talk.largestSection(of: id)
            let version = try talk.view(id).contents[section] ?? .empty
            talk.views.views[id]?.contents[section] = version.withoutFirstItem
            try await talk.refuse([], of: id, number: 1)
            try await talk.untilRepaired(1)
            guard try talk.view(id).contents[section]?.sum != version.withoutFirstItem.sum else {
                throw talk.failure("the newest version of '\(section)'", "the unknown one")
            }
        },
        ServerCheck("staged-is-kept", .repair, "A complete staged version that a nack names isn't sent again.") {
            stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            let section = try talk.largestSection(of: id)
            let handle = try talk.view(id).handles[section] ?? 0
            guard let version = try talk.view(id).contents[section] else { throw NotApplicable("no section") }
            talk.forgetStagedHandles()
            talk.views.keepStaged(version, for: handle)
            try await talk.refuse([], of: id, number: 1, holding: { $0.filter { $0.handle != handle } }) { nack in
                nack.staged = [HeldVersion(handle: handle, sum: version.sum)]
            }
            try await talk.untilRepaired(1)
            guard !talk.stagedHandles.contains(handle) else {
                throw talk.failure("handle \(handle) not staged again", "it was")
            }
        },
        ServerCheck("ladder", .repair, "A section refused three times in a row fails alone.") { stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            let section = try talk.largestSection(of: id)
            for number: UInt32 in 1...2 {
                try await talk.refuse([section], of: id, number: number)
                // The next nack refuses this repair, as if it were wrong again.
                try await talk.untilRepaired(number)
            }
            try await talk.refuse([section], of: id, number: 3)
            let awaited = "subscriptionError SECTION_REFUSED for '\(section)', and a binding without a sum"
            _ = try await talk.until(awaited) { message -> Bool? in
                guard case .subscriptionError(let error) = message, error.section == section else { return nil }
                return error.status.reason == "SECTION_REFUSED" ? true : nil
            }
            try await talk.untilRepaired(3)
            try await talk.expectAlive()
        },
        ServerCheck("ladder-starts-over", .repair, "A section that was repaired in between starts at the first step.") {
            stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            let section = try talk.largestSection(of: id)
            for number: UInt32 in 1...4 {
                // The held version differs each time, so each refusal is the first one.
                let version = try talk.view(id).contents[section] ?? .empty
                talk.views.views[id]?.contents[section] = Version(
                    head: version.head, items: Array(version.items.dropLast(Int(number) % version.items.count)))
                try await talk.refuse([section], of: id, number: number)
                try await talk.untilRepaired(number)
                guard try talk.view(id).contents[section]?.items.isEmpty == false else {
                    throw talk.failure("'\(section)' repaired", "nothing in it")
                }
            }
        },
        ServerCheck("nack-numbers", .repair, "A nack number out of order ends the connection.") { stage in
            for number: UInt32 in [0, 2] {
                let talk = try await stage.greeted()
                let id = try await talk.joined()
                try await talk.refuse([try talk.largestSection(of: id)], of: id, number: number)
                try await talk.expectClose("NACK_INVALID")
            }
        },
    ]

    /// Chapter 15.
    static let rebase: [ServerCheck] = [
        ServerCheck("manifest-unexpected", .rebase, "A manifest that wasn't asked for ends the connection.") { stage in
            let talk = try await stage.greeted()
            await talk.describe(.empty, 1)
            try await talk.expectClose("MANIFEST_UNEXPECTED")
        },
        ServerCheck("manifest-answered", .rebase, "A manifest is answered by a patch from it, staged.") { stage in
            let (talk, id, rebase) = try await stage.rebased()
            try await talk.answer(rebase)
            try await talk.untilJoined(id)
        },
        ServerCheck("manifest-in-parts", .rebase, "A manifest may come in parts.") { stage in
            let (talk, id, rebase) = try await stage.rebased()
            for section in rebase.sections {
                let version = talk.offered(id, section.section)
                talk.views.described[section.handle] = version
                let pairs = ContentManifest(version).pairs
                for (index, pair) in pairs.enumerated() {
                    let single = ContentManifest(sum: version.sum, headHash: version.headHash, pairs: [pair])
                    for var part in Manifest.parts(of: single, handle: section.handle, limits: talk.welcome.limits) {
                        part.more = index < pairs.count - 1
                        await talk.send(.manifest(part))
                    }
                }
                if pairs.isEmpty { await talk.describe(version, section.handle) }
            }
            try await talk.untilJoined(id)
        },
        ServerCheck("manifest-of-nothing", .rebase, "An empty manifest is answered with the whole section.") { stage in
            let (talk, id, rebase) = try await stage.rebased()
            for section in rebase.sections {
                talk.views.offered[id]?[section.section] = nil
                await talk.describe(.empty, section.handle)
            }
            try await talk.untilJoined(id)
        },
        ServerCheck(
            "manifest-contradicts", .rebase, "Parts of a manifest that contradict each other end the connection."
        ) {
            stage in
            let (talk, _, rebase) = try await stage.rebased()
            let handle = rebase.sections[0].handle
            let pairs = [UInt8](repeating: 3, count: 16)
            await talk.send(.manifest(Manifest(handle: handle, sum: 1, headHash: 1, pairs: pairs, more: true)))
            await talk.send(.manifest(Manifest(handle: handle, sum: 2, headHash: 1, pairs: pairs, more: false)))
            try await talk.expectClose("MANIFEST_INVALID")
        },
    ]
}

extension ServerTalk {
    /// The section of a view with the most bytes.
    func largestSection(of subscription: UInt32) throws -> String {
        let view = try view(subscription)
        let sizes = view.sections.map { ($0, view.contents[$0]?.items.encodedSize ?? 0) }
        guard let largest = sizes.max(by: { $0.1 < $1.1 }), largest.1 > 0 else {
            throw NotApplicable("the screen has no item")
        }
        return largest.0
    }

    func offered(_ subscription: UInt32, _ section: String) -> Version {
        views.offered[subscription]?[section] ?? .empty
    }
}

extension ServerStage {
    /// A connection that has offered a version unknown to the server and received a rebase for it.
    func rebased() async throws -> (ServerTalk, UInt32, Rebase) {
        let section = try await largestSection()
        let first = try await greeted()
        var held = try first.view(try await first.joined())
        await first.line.close()
        if let version = held.contents[section] { held.contents[section] = version.withoutFirstItem }
        let talk = try await greeted()
        let id = await talk.subscribe(holding: held)
        let rebase = try await talk.until("rebase, or the join") { message -> Rebase? in
            switch message {
            case .rebase(let rebase): return rebase
            case .join: throw NotApplicable("this server sends such a section whole")
            default: return nil
            }
        }
        return (talk, id, rebase)
    }
}
