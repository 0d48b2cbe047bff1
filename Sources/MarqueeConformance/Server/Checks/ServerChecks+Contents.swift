import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ServerChecks {
    /// Chapters 6, 7 and 8.
    static let contents: [ServerCheck] = [
        ServerCheck("canonical-bodies", .bodies, "Every body and head of a screen is canonical.") { stage in
            let talk = try await stage.greeted()
            let view = try talk.view(try await talk.joined())
            for (section, version) in view.contents {
                guard version.head.isEmpty || CanonicalBody.isCanonical(version.head) else {
                    throw talk.failure("a canonical head of '\(section)'", "\(version.head)")
                }
                for item in version.items where !CanonicalBody.isCanonical(item.body) {
                    throw talk.failure("a canonical body of item '\(item.id)' in '\(section)'", "another order")
                }
            }
        },
        ServerCheck("sums-of-a-screen", .sums, "The sums that get screen returns match the bytes.") { stage in
            let talk = try await stage.greeted()
            let answer = try await talk.getScreen()
            for content in [answer.view] + answer.sections {
                let version = Version(head: content.head, items: content.items)
                guard version.sum == content.sum else {
                    throw talk.failure(
                        "\(FrameText.hex(version.sum)), computed for '\(content.id)'", FrameText.hex(content.sum))
                }
            }
        },
        ServerCheck("same-by-both-ways", .sums, "A subscription and get screen agree at the same position.") {
            stage in
            let talk = try await stage.greeted()
            for _ in 0..<ServerChecks.attempts {
                let view = try talk.view(try await talk.joined(stage.screen))
                let position = talk.position
                let answer = try await talk.getScreen()
                await talk.send(.unsubscribe(talk.views.views.keys.max() ?? 0))
                guard answer.cut.catalogueRevision == position.catalogueRevision else { continue }
                for content in [answer.view] + answer.sections where view.contents[content.id]?.sum != content.sum {
                    throw talk.failure(
                        "'\(content.id)' as get screen has it, \(FrameText.hex(content.sum))",
                        view.contents[content.id].map { FrameText.hex($0.sum) } ?? "no such section")
                }
                return
            }
            throw NotApplicable("the catalogue changes all the time")
        },
        ServerCheck("whole-patches", .patches, "A whole patch builds exactly the version that it names.") {
            stage in
            let talk = try await stage.greeted()
            try await talk.joined()
            guard talk.stagedFrames + talk.dataFrames > 0 else {
                throw talk.failure("the contents of a screen that isn't held", "no stage or data frame")
            }
        },
        ServerCheck("live-patch", .patches, "A change arrives as a patch based on the version sent before.") {
            stage in
            let (talk, subscription) = try await stage.collections()
            let subject = try await stage.someSubject()
            let before = try talk.view(subscription).contents["favorites"]?.sum
            try await talk.changeFavorite(subject, of: subscription)
            guard try talk.view(subscription).contents["favorites"]?.sum != before else {
                throw talk.failure("another version of favorites", "the same one")
            }
        },
    ]

    /// The most attempts of a check that starts over whenever the catalogue changes during it.
    static let attempts = 20
}

extension ServerTalk {
    func getScreen(_ screen: String? = nil) async throws -> GetScreenAnswer {
        let body = CallBodyCodec.encode(GetScreenRequest(screen: screen ?? subject.screen))
        return try CallBodyCodec.decodeGetScreenAnswer(try await call(.getScreen, body))
    }

    func describe() async throws -> DescribeAnswer {
        try CallBodyCodec.decodeDescribeAnswer(
            try await call(.describe, CallBodyCodec.encodeDescribeRequest(locale: nil)))
    }

    // Favorites

    /// Removes a subject from the favorites, or adds it if it isn't there, and waits until the view shows the change.
    @discardableResult
    func changeFavorite(_ subject: String, of subscription: UInt32) async throws -> MutationAnswer {
        let isMember = try isFavorite(subject, of: subscription)
        let answer = try await setFavorite(subject, !isMember)
        try await untilFavorite(subject, !isMember, of: subscription)
        return answer
    }

    func setFavorite(_ subject: String, _ isMember: Bool, number: UInt64? = nil) async throws -> MutationAnswer {
        try CallBodyCodec.decodeMutationAnswer(
            try await call(.collection, favoriteRequest(subject, isMember, number: number)))
    }

    /// The body of a request to set or remove a favorite.
    /// - Parameter number: the mutation's number; `nil` for the next one.
    func favoriteRequest(_ subject: String, _ isMember: Bool, number: UInt64? = nil) -> [UInt8] {
        CallBodyCodec.encode(
            CollectionRequest(
                number: number ?? nextMutation(), answeredThrough: 0, subject: subject, isMember: isMember))
    }

    func isFavorite(_ subject: String, of subscription: UInt32) throws -> Bool {
        try view(subscription).contents["favorites"]?.items.contains { $0.id == subject } ?? false
    }

    func untilFavorite(_ subject: String, _ isMember: Bool, of subscription: UInt32) async throws {
        while try isFavorite(subject, of: subscription) != isMember {
            let awaited = "a cut in which '\(subject)' is \(isMember ? "" : "not ")a favorite"
            switch try await next(awaited) {
            case .close(let status): throw failure(awaited, "close \(FrameText.status(status))")
            case .rebase(let rebase): try await answer(rebase)
            default: break
            }
        }
    }
}

extension ServerStage {
    /// A connection of the user on which the user's collections have joined, and their subscription.
    func collections() async throws -> (ServerTalk, UInt32) {
        let talk = try await greetedAsUser()
        return (talk, try await talk.joined(ScreenID.collectionSet.name))
    }

    /// The subject of a record that the screen shows and that may be a favorite. Checks use different ones as long as
    /// there are enough.
    func someSubject() async throws -> String {
        let talk = try await greetedAsUser()
        let subjects = try await talk.subjects()
        for type in Set(subjects.map { $0.prefix { $0 != "/" } }).sorted() {
            // Tests the type with a record that doesn't exist: it can be a member if the collection holds its type.
            let body = talk.favoriteRequest("\(type)/conformance-none", true)
            let (status, _) = try await talk.answer(to: talk.request(.collection, body))
            guard status == nil else { continue }
            _ = try await talk.setFavorite("\(type)/conformance-none", false)
            await talk.line.close()
            let suited = subjects.filter { $0.hasPrefix("\(type)/") }
            return suited[turn % suited.count]
        }
        throw NotApplicable("no item of the screen can be a favorite")
    }
}

extension ServerTalk {
    /// The subjects of the records that the screen shows.
    func subjects() async throws -> [String] {
        let subjects = Set(try await getScreen().sections.flatMap(\.items).map(\.subject).filter { $0.contains("/") })
        guard !subjects.isEmpty else { throw NotApplicable("no item of the screen has a subject") }
        return subjects.sorted()
    }
}
