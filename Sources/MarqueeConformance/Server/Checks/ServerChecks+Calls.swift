import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ServerChecks {
    /// Chapter 17.
    static let calls: [ServerCheck] = [
        ServerCheck("health", .calls, "Health returns a state, and a position not behind welcome's.") { stage in
            let talk = try await stage.greeted()
            let health = try CallBodyCodec.decodeHealthAnswer(try await talk.call(.health))
            guard !health.state.isEmpty, !health.cut.isBehind(talk.welcome.cut) else {
                throw talk.failure("a state, and a position", "'\(health.state)', \(FrameText.cut(health.cut))")
            }
        },
        ServerCheck("describe", .calls, "Describe lists the screen, and each section of it that get screen has.") {
            stage in
            let talk = try await stage.greeted()
            let described = Set(try await talk.describedSections().map(\.id))
            let sections = Set(try await talk.getScreen().sections.map(\.id))
            guard sections.isSubset(of: described) else {
                throw talk.failure("sections among \(described.sorted())", "\(sections.sorted())")
            }
        },
        ServerCheck("get-unknown-screen", .calls, "Get screen fails for a screen that doesn't exist.") { stage in
            let talk = try await stage.greeted()
            let body = CallBodyCodec.encode(GetScreenRequest(screen: "conformance-unknown"))
            try await talk.expectFailure("UNKNOWN_SCREEN", of: .getScreen, body)
        },
        ServerCheck("get-wrong-parameters", .calls, "Get screen with wrong parameters fails.") { stage in
            let talk = try await stage.greeted()
            let sections = [SectionParameters(section: "conformance-unknown")]
            let body = CallBodyCodec.encode(GetScreenRequest(screen: stage.screen, sections: sections))
            try await talk.expectFailure("UNKNOWN_SECTION", of: .getScreen, body)
        },
        ServerCheck(
            "get-as-another", .calls, "A preview for an impossible reader is refused, or isn't labelled as one."
        ) { stage in
            let talk = try await stage.greeted()
            var request = GetScreenRequest(screen: stage.screen)
            request.reader = ["audience=conformance-unknown"]
            let (status, body) = try await talk.answer(to: talk.request(.getScreen, CallBodyCodec.encode(request)))
            let awaited = "READER_INVALID or SCOPE_TOO_SMALL, or an answer that is no preview"
            if let status {
                guard ["READER_INVALID", "SCOPE_TOO_SMALL"].contains(status.reason) else {
                    throw talk.failure(awaited, FrameText.status(status))
                }
            } else if try CallBodyCodec.decodeGetScreenAnswer(body).isPreview {
                throw talk.failure(awaited, "a preview")
            }
        },
        ServerCheck("unknown-method", .calls, "An unknown method fails alone.") { stage in
            let talk = try await stage.greeted()
            try await talk.expectFailure("METHOD_UNKNOWN", of: Method(rawValue: 9_999))
            _ = try await talk.call(.health)
        },
        ServerCheck("call-ids-rise", .calls, "A call id that doesn't rise ends the connection.") { stage in
            let talk = try await stage.greeted()
            _ = try await talk.call(.health)
            await talk.send(.request(Request(call: 1, method: .health)))
            try await talk.expectClose("CALL_REUSED")
        },
        ServerCheck("relays-only", .calls, "Messages that only relays send are refused from others.") { stage in
            let talk = try await stage.greeted()
            await talk.send(.dismiss(guest: 1))
            try await talk.expectClose("RELAY_EXPECTED")
        },
        ServerCheck("no-time-left", .calls, "A call without any time left fails at once.") { stage in
            let talk = try await stage.greeted()
            let body = CallBodyCodec.encode(GetScreenRequest(screen: stage.screen))
            try await talk.expectFailure("DEADLINE_EXCEEDED", of: .getScreen, body, deadline: 0)
        },
        ServerCheck("answered-once", .calls, "Each of many concurrent calls is answered exactly once.") { stage in
            let talk = try await stage.greeted()
            var open: Set<UInt32> = []
            for _ in 0..<64 { open.insert(await talk.request(.health)) }
            while !open.isEmpty {
                let answer = try await talk.until("answers to \(open.count) more calls") { message -> Answer? in
                    if case .answer(let answer) = message, !answer.more { return answer }
                    return nil
                }
                let reason = answer.status.flatMap { $0.code == .ok ? nil : $0.reason }
                guard reason == nil || reason == "TOO_MANY_CALLS" else {
                    throw talk.failure("OK or TOO_MANY_CALLS", reason ?? "")
                }
                open.remove(answer.call)
            }
            try await talk.expectAlive()
        },
        ServerCheck("cancel", .calls, "A cancelled call is answered once; cancelling a finished one is ignored.") {
            stage in
            let talk = try await stage.greeted()
            let body = CallBodyCodec.encode(GetScreenRequest(screen: stage.screen))
            let call = await talk.request(.getScreen, body)
            await talk.send(.cancel(call: call))
            let (status, _) = try await talk.answer(to: call)
            guard status == nil || status?.reason == "CANCELLED" else {
                throw talk.failure("a result or CANCELLED", status.map(FrameText.status) ?? "")
            }
            await talk.send(.cancel(call: call))
            _ = try await talk.call(.health)
        },
        ServerCheck("search", .calls, "A search returns its query id, and pages that fit together.") { stage in
            let talk = try await stage.greeted()
            let answer = try await talk.search("a", id: 77)
            guard answer.queryID == 77, answer.page == 1, answer.items.count <= answer.total else {
                throw talk.failure(
                    "query id 77, page 1",
                    "query id \(answer.queryID), page \(answer.page), \(answer.items.count) items "
                        + "of \(answer.total)")
            }
            guard answer.items.allSatisfy({ $0.id == $0.subject }) else {
                throw talk.failure("items whose id is their subject", "\(answer.items.map(\.id))")
            }
            guard answer.pages > 1 else { return }
            let next = try await talk.search("a", id: 78, page: 2)
            let repeated = Set(next.items.map(\.id)).intersection(answer.items.map(\.id))
            guard next.page == 2, repeated.isEmpty || next.cut != answer.cut else {
                throw talk.failure("another page", "page \(next.page), again: \(repeated.sorted())")
            }
        },
        ServerCheck("search-page-0", .calls, "A search for page 0 is refused.") { stage in
            let talk = try await stage.greeted()
            let body = CallBodyCodec.encode(SearchRequest(query: "a", queryID: 1, page: 0))
            try await talk.expectFailure("BAD_PAGE", of: .search, body)
        },
        ServerCheck("user-required", .calls, "A collection without a user is refused.") { stage in
            let talk = try await stage.greeted()
            guard talk.welcome.user == nil else { throw NotApplicable("the connection has a user") }
            try await talk.expectFailure(
                "USER_REQUIRED", of: .collection, talk.favoriteRequest("movie/1", true, number: 1))
            try await talk.expectRefused(await talk.subscribe(ScreenID.collectionSet.name), "USER_REQUIRED")
        },
        ServerCheck("reads-write-nothing", .calls, "A call doesn't move the position of a connection.") { stage in
            let talk = try await stage.greeted()
            let id = try await talk.joined()
            let before = try talk.view(id).contents.mapValues(\.sum)
            let position = talk.position
            _ = try await talk.getScreen()
            let after = try talk.view(id).contents.mapValues(\.sum)
            guard talk.position != position || after == before else {
                throw talk.failure("the same contents", "other ones")
            }
        },
    ]
}

extension ServerTalk {
    func search(_ query: String, id: UInt64, page: UInt32 = 1) async throws -> SearchAnswer {
        let body = CallBodyCodec.encode(SearchRequest(query: query, queryID: id, page: page))
        return try CallBodyCodec.decodeSearchAnswer(try await call(.search, body))
    }
}
