import MarqueeModel
import MarqueeWire

extension ServerChecks {
    /// Chapter 18.
    static let mutations: [ServerCheck] = [
        ServerCheck("sent-again", .mutations, "A mutation sent again has no second effect and gets the same answer.") {
            stage in
            let (talk, subscription) = try await stage.collections()
            let subject = try await stage.someSubject()
            let isMember = try !talk.isFavorite(subject, of: subscription)
            let body = talk.favoriteRequest(subject, isMember)
            let first = try await talk.call(.collection, body)
            guard try await talk.call(.collection, body) == first else {
                throw talk.failure("the same answer", "another one")
            }
            // The same holds on a new connection of the same client.
            let again = try await stage.greetedAsUser(clientID: talk.hello.clientID)
            let answer = try CallBodyCodec.decodeMutationAnswer(first)
            guard again.welcome.lastMutation == answer.number else {
                throw again.failure(
                    "last_mutation \(answer.number)", again.welcome.lastMutation.map(String.init) ?? "none")
            }
            guard try await again.call(.collection, body) == first else {
                throw again.failure("the same answer after a break", "another one")
            }
        },
        ServerCheck("other-content", .mutations, "The same number with other content means a cloned client.") { stage in
            let (talk, _) = try await stage.collections()
            let subject = try await stage.someSubject()
            _ = try await talk.setFavorite(subject, true, number: 5)
            let body = talk.favoriteRequest(subject, false, number: 5)
            try await talk.expectFailure("CLIENT_CLONED", of: .collection, body)
        },
        ServerCheck("forgotten", .mutations, "A lower number whose answer isn't kept is refused.") { stage in
            let (talk, _) = try await stage.collections()
            let subject = try await stage.someSubject()
            _ = try await talk.setFavorite(subject, true, number: 9)
            let body = talk.favoriteRequest(subject, true, number: 3)
            try await talk.expectFailure("MUTATION_FORGOTTEN", of: .collection, body)
        },
        ServerCheck("answered-through", .mutations, "Answers up to answered_through are no longer kept.") { stage in
            let (talk, _) = try await stage.collections()
            let subject = try await stage.someSubject()
            let first = talk.favoriteRequest(subject, true, number: 1)
            _ = try await talk.call(.collection, first)
            let second = CallBodyCodec.encode(
                CollectionRequest(number: 2, answeredThrough: 1, subject: subject, isMember: true))
            _ = try await talk.call(.collection, second)
            try await talk.expectFailure("MUTATION_FORGOTTEN", of: .collection, first)
        },
        ServerCheck("nothing-to-change", .mutations, "The same change made again changes nothing.") { stage in
            let (talk, subscription) = try await stage.collections()
            let subject = try await stage.someSubject()
            let isMember = try !talk.isFavorite(subject, of: subscription)
            guard try await talk.setFavorite(subject, isMember).changed else {
                throw talk.failure("changed", "not changed")
            }
            guard try await !talk.setFavorite(subject, isMember).changed else {
                throw talk.failure("not changed", "changed")
            }
        },
        ServerCheck("number-0", .mutations, "A mutation with number 0 is refused.") { stage in
            let talk = try await stage.greetedAsUser()
            let body = talk.favoriteRequest("movie/1", true, number: 0)
            try await talk.expectFailure("NUMBER_INVALID", "BODY_INVALID", of: .collection, body)
        },
        ServerCheck("number-too-large", .mutations, "A mutation with a number above 2^63 − 1 is refused.") { stage in
            let talk = try await stage.greetedAsUser()
            for number: UInt64 in [1 << 63, .max] {
                let body = talk.favoriteRequest("movie/1", true, number: number)
                try await talk.expectFailure("NUMBER_INVALID", "BODY_INVALID", of: .collection, body)
            }
        },
        ServerCheck("report-unasked", .mutations, "A report on a section that asks for none is refused.") { stage in
            let talk = try await stage.greeted()
            let seen = ItemEvent(.seen, item: "conformance", place: 1, at: 1, revision: 1)
            let body = CallBodyCodec.encode(
                ReportRequest(
                    number: 1, answeredThrough: 0, screen: stage.screen, section: "conformance-none",
                    observations: [seen]))
            try await talk.expectFailure("NOT_ASKED", of: .report, body)
        },
        ServerCheck("publish-unreadable", .mutations, "A published document that can't be read is refused.") { stage in
            let talk = try await stage.greetedToPublish()
            for (number, change) in ["{", "[]", #"{"conformance": {}}"#].enumerated() {
                let body = CallBodyCodec.encode(
                    PublishRequest(number: UInt64(number) + 1, answeredThrough: 0, changes: [Array(change.utf8)]))
                try await talk.expectFailure("CHANGE_INVALID", of: .publish, body)
            }
        },
        ServerCheck("publish-parts-in-order", .mutations, "Parts of a publication come in order, each with changes.") {
            stage in
            let change = try await stage.harmlessChange()
            let talk = try await stage.greetedToPublish()
            let later = PublishRequest(number: 1, answeredThrough: 0, index: 1, last: false, changes: [change])
            try await talk.expectFailure("PART_OUT_OF_ORDER", of: .publish, CallBodyCodec.encode(later))
            let empty = PublishRequest(number: 2, answeredThrough: 0, index: 0, last: false, changes: [])
            try await talk.expectFailure("PART_EMPTY", of: .publish, CallBodyCodec.encode(empty))
        },
        ServerCheck("publish-in-parts", .mutations, "A publication in parts is answered once for each part.") { stage in
            let change = try await stage.harmlessChange()
            let talk = try await stage.greetedToPublish()
            let first = PublishRequest(number: 1, answeredThrough: 0, index: 0, last: false, changes: [change])
            guard try await talk.call(.publish, CallBodyCodec.encode(first)).isEmpty else {
                throw talk.failure("an empty answer to the first part", "a body")
            }
            let last = PublishRequest(number: 1, answeredThrough: 0, index: 1, last: true, changes: [change])
            let answer = try CallBodyCodec.decodeMutationAnswer(
                try await talk.call(.publish, CallBodyCodec.encode(last)))
            guard answer.number == 1 else { throw talk.failure("number 1", "number \(answer.number)") }
        },
        ServerCheck("publish-again", .mutations, "A publication sent again gets the same answer.") { stage in
            let change = try await stage.harmlessChange()
            let talk = try await stage.greetedToPublish()
            let body = CallBodyCodec.encode(PublishRequest(number: 1, answeredThrough: 0, changes: [change]))
            let first = try await talk.call(.publish, body)
            guard try await talk.call(.publish, body) == first else {
                throw talk.failure("the same answer", "another one")
            }
        },
        ServerCheck(
            "source-expected", .mutations, "A publication of a source is committed only if the source is as expected."
        ) { stage in
            let talk = try await stage.greetedToPublish()
            let name = "conformance-\(UInt64.random(in: 0 ... .max))"
            func body(_ number: UInt64, _ position: String?, from expected: String?) -> [UInt8] {
                CallBodyCodec.encode(
                    PublishRequest(
                        number: number, answeredThrough: 0, changes: [],
                        source: SourceMove(source: name, position: position, expected: expected)))
            }
            _ = try await talk.call(.publish, body(1, "1", from: nil))
            try await talk.expectFailure("SOURCE_ELSEWHERE", of: .publish, body(2, "2", from: nil))
            _ = try await talk.call(.publish, body(3, nil, from: "1"))
            let answer = try CallBodyCodec.decodeSourceAnswer(
                try await talk.call(.source, CallBodyCodec.encode(SourceRequest(source: name))))
            guard let state = answer.sources.first, state.source == name, state.position == "1" else {
                throw talk.failure("the source at '1'", answer.sources.first?.position ?? "nowhere")
            }
        },
        ServerCheck("source-trouble", .mutations, "A source that reports an error is in trouble until it reports none.")
        { stage in
            let talk = try await stage.greetedToPublish()
            let name = "conformance-\(UInt64.random(in: 0 ... .max))"
            func reported(_ error: String?) async throws -> SourceTrouble? {
                let report = SourceReport(state: "follows", error: error)
                let body = CallBodyCodec.encode(SourceRequest(source: name, report: report))
                return try CallBodyCodec.decodeSourceAnswer(try await talk.call(.source, body)).sources.first?.trouble
            }
            guard let trouble = try await reported("no way"), trouble.reason.contains("no way") else {
                throw talk.failure("the error as the source's trouble", "none")
            }
            if let trouble = try await reported(nil) { throw talk.failure("no trouble", trouble.reason) }
        },
    ]

    /// Chapter 19.
    static let collections: [ServerCheck] = [
        ServerCheck(
            "favorites-section", .collections,
            "The screen user-collections has private sections of kind 18, favorites first."
        ) {
            stage in
            let (talk, subscription) = try await stage.collections()
            let view = try talk.view(subscription)
            guard view.sections.first == "favorites" else {
                throw talk.failure("favorites first", view.sections.first ?? "no section")
            }
            for item in view.own.items {
                let kind = view.contents[item.id].flatMap { BodyCodec.decodeSectionHead($0.head) }?.kind
                guard kind == .collectionSet, BodyCodec.decodeSectionReference(item.body)?.isPrivate == true else {
                    throw talk.failure("a private section of kind 18", "'\(item.id)', kind \(kind?.rawValue ?? 0)")
                }
            }
        },
        ServerCheck(
            "newest-first", .collections, "A member comes first when it is set; setting it again keeps the order."
        ) {
            stage in
            let (talk, subscription) = try await stage.collections()
            let subject = try await stage.someSubject()
            if try talk.isFavorite(subject, of: subscription) {
                try await talk.changeFavorite(subject, of: subscription)
            }
            let answer = try await talk.changeFavorite(subject, of: subscription)
            let items = try talk.view(subscription).contents["favorites"].map { Array($0.items) } ?? []
            guard let item = items.first(where: { $0.id == subject }), item.kind == .member, item.subject == subject,
                let member = BodyCodec.decodeMember(item.body), member.value == nil,
                member.revision == answer.cut.userRevision
            else { throw talk.failure("a member with revision \(answer.cut.userRevision ?? 0)", "\(items.prefix(1))") }
            let revisions = items.compactMap { BodyCodec.decodeMember($0.body)?.revision }
            guard revisions == revisions.sorted(by: >) else { throw talk.failure("the newest first", "\(revisions)") }
        },
        ServerCheck("subject-invalid", .collections, "Only a record of a declared type can be a member.") {
            stage in
            let talk = try await stage.greetedAsUser()
            for subject in ["conformance", "conformance-unknown/1", "/1"] {
                try await talk.expectFailure("SUBJECT_INVALID", of: .collection, talk.favoriteRequest(subject, true))
            }
        },
        ServerCheck("collection-unknown", .collections, "An unknown collection is refused.") { stage in
            let subject = try await stage.someSubject()
            let talk = try await stage.greetedAsUser()
            // Field 5 is the collection's name.
            let body = talk.favoriteRequest(subject, true) + FrameBytes.field(5, Array("conformance-none".utf8))
            try await talk.expectFailure("COLLECTION_UNKNOWN", of: .collection, body)
        },
        ServerCheck("value-invalid", .collections, "A value for a collection without values is refused.") { stage in
            let subject = try await stage.someSubject()
            let talk = try await stage.greetedAsUser()
            let body = talk.favoriteRequest(subject, true) + FrameBytes.field(6, Array("7".utf8))
            try await talk.expectFailure("VALUE_INVALID", of: .collection, body)
        },
    ]
}

extension ServerStage {
    /// A connection that may publish.
    func greetedToPublish() async throws -> ServerTalk {
        guard subject.mayPublish else { throw NotApplicable("needs permission to publish: --publish-allowed") }
        return subject.user == nil ? try await greeted() : try await greetedAsUser()
    }

    /// A change without effect: it removes a record that doesn't exist.
    func harmlessChange() async throws -> [UInt8] {
        let type = try await greetedToPublish().subjects()[0].prefix { $0 != "/" }
        return Array(#"{"remove": {"type": "\#(type)", "id": "conformance-\#(UInt64.random(in: 0 ... .max))"}}"#.utf8)
    }
}
