import MarqueeClient
import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension ScriptedSession {
    /// The number of results on a page.
    private static let pageItems = 20
    /// The most bytes of an answer in one frame.
    private static let answerBytes = 60 << 10

    /// Answers a call.
    func answer(_ request: Request) {
        do throws(WireError) {
            switch try result(of: request) {
            case .success(let body):
                send(body, to: request.call)
                if request.method == .collection { world.publish() }
            case .failure(let refusal): send(.answer(Answer(call: request.call, status: refusal.status)))
            }
        } catch {
            send(.answer(Answer(call: request.call, status: error.status)))
        }
    }

    private func send(_ body: [UInt8], to call: UInt32) {
        var rest = body[...]
        repeat {
            let piece = rest.prefix(Self.answerBytes)
            rest = rest.dropFirst(piece.count)
            send(.answer(Answer(call: call, body: Array(piece), more: !rest.isEmpty)))
        } while !rest.isEmpty
    }

    private func result(of request: Request) throws(WireError) -> Result<[UInt8], Refusal> {
        switch request.method {
        case .collection: return change(try CallBodyCodec.decodeCollectionRequest(request.body))
        case .getScreen: return screen(try CallBodyCodec.decodeGetScreenRequest(request.body))
        case .search: return .success(search(try CallBodyCodec.decodeSearchRequest(request.body)))
        case .describe: return .success(CallBodyCodec.encode(description))
        case .health: return .success(CallBodyCodec.encode(health))
        case .renew: return .success(CallBodyCodec.encodeRenewAnswer(milliseconds: nil))
        default:
            return .failure(
                Refusal(
                    Status(
                        .unimplemented, reason: "METHOD_UNKNOWN", remedy: .fatal,
                        message: "a scripted server doesn't do this")))
        }
    }

    private func change(_ request: CollectionRequest) -> Result<[UInt8], Refusal> {
        world.apply(request, of: clientID, user: user).map { CallBodyCodec.encode($0) }
    }

    private func screen(_ request: GetScreenRequest) -> Result<[UInt8], Refusal> {
        let id = ScreenID(request.screen)
        if let refusal = world.refusedScreens[id] { return .failure(refusal) }
        return world.content.view(id, request.sections, of: user).map { view in
            func content(_ id: String, _ version: Version) -> ScreenContent {
                ScreenContent(id: id, head: version.head, items: Array(version.items), sum: version.sum)
            }
            return CallBodyCodec.encode(
                GetScreenAnswer(
                    screen: request.screen, locale: request.locale ?? world.locales.first ?? "en",
                    cut: world.content.cut(of: user), view: content("", view.list),
                    sections: view.sections.map { content($0.id, $0.version) }))
        }
    }

    private func search(_ request: SearchRequest) -> [UInt8] {
        let found = world.content.matches(request.query)
        let page = Int(max(request.page, 1))
        let items = found.dropFirst((page - 1) * Self.pageItems).prefix(Self.pageItems)
        return CallBodyCodec.encode(
            SearchAnswer(
                queryID: request.queryID, items: items.map(\.item), total: UInt32(clamping: found.count),
                page: UInt32(clamping: page),
                pages: UInt32(clamping: (found.count + Self.pageItems - 1) / Self.pageItems),
                cut: world.content.cut(of: nil)))
    }

    private var description: DescribeAnswer {
        DescribeAnswer(
            screens: world.content.screens.values.sorted { $0.id.name < $1.id.name }.map { screen in
                ScreenDescription(
                    pattern: screen.id.name, title: screen.title, example: screen.id.name,
                    sections: screen.sections.map {
                        SectionDescription(
                            id: $0.id, kind: $0.head.kind, sorts: $0.head.sorts, windows: $0.head.windows,
                            placeholders: UInt32(clamping: $0.placeholders))
                    })
            }, locales: world.locales)
    }

    private var health: HealthAnswer {
        var answer = HealthAnswer()
        answer.cut = world.content.cut(of: user)
        answer.sessions = UInt32(clamping: world.sessions.count)
        answer.subscriptions = UInt32(clamping: subscriptions.count)
        answer.version = "MarqueeTesting"
        return answer
    }
}
