import MarqueeClient
import MarqueeModel

/// A screen as the server has it if it answers in time, otherwise as it is stored.
struct NewestScreen: Sendable {
    /// The wait for a stored screen: it is available at once, but arrives on a different thread than the report of a
    /// broken connection.
    private static let grace = Duration.milliseconds(100)

    /// The number of pauses between connection attempts after which waiting ends. After a single one, the client may
    /// just be adapting to a restored server.
    private static let hopelessPauses = 2

    /// `nil` if none is known.
    private(set) var screen: Screen?
    private(set) var isLive = false
    private var error: ClientError?
    private var unreachable: ClientError?
    private var tokenRefused: ClientError?

    /// Whether the server has no screen of that name.
    var isUnknown: Bool { error?.status?.reason == "UNKNOWN_SCREEN" }

    private enum Piece: Sendable {
        case screen(ScreenUpdate?, ClientError?)
        case unreachable(ClientError)
        case tokenRefused(ClientError)
        case timeIsOver
    }

    init(_ id: ScreenID, of client: MarqueeClient, timeout: Seconds) async {
        self = await withTaskGroup(of: Piece.self) { group in
            group.addTask {
                var last: ScreenUpdate?
                do {
                    for try await update in client.screen(id) {
                        last = update
                        if update.origin == .live { break }
                    }
                    return .screen(last, nil)
                } catch {
                    return .screen(last, error as? ClientError)
                }
            }
            group.addTask {
                let piece = await NewestScreen.reasonToGiveUp(of: client)
                try? await Task.sleep(for: Self.grace)
                return piece
            }
            group.addTask {
                try? await Task.sleep(for: timeout.duration)
                return .timeIsOver
            }
            var newest = NewestScreen()
            // The first to finish ends the others; their results so far count.
            for await piece in group {
                group.cancelAll()
                switch piece {
                case .screen(let update, let error):
                    newest.screen = update?.screen
                    newest.isLive = update?.origin == .live
                    newest.error = error
                case .unreachable(let reason): newest.unreachable = reason
                case .tokenRefused(let error): newest.tokenRefused = error
                case .timeIsOver: break
                }
            }
            return newest
        }
    }

    private init() {}

    /// Returns when it is clear that the server won't answer.
    private static func reasonToGiveUp(of client: MarqueeClient) async -> Piece {
        var pauses = 0
        for await event in client.events {
            if let error = event.tokenRefusal { return .tokenRefused(error) }
            if case .state(.waiting(let error, _)) = event {
                pauses += 1
                if pauses == hopelessPauses { return .unreachable(error) }
            }
        }
        return .timeIsOver
    }

    /// The reason for showing a stored screen; `nil` if it is the server's.
    func note(server: ServerAddress) -> String? {
        if isLive { return nil }
        let why = tokenRefused.map { "\(server) refuses the token: \($0.message)" } ?? "no answer from \(server)"
        return "\(why); this is what is stored"
    }

    /// - Parameter hasOther: whether there is something to show beside the screen.
    /// - Throws: `Failure` when there is nothing to show.
    func check(server: ServerAddress, mirror: String?, hasOther: Bool) throws {
        if let error { throw Failure(error, mirror: mirror) }
        guard screen == nil, !hasOther else { return }
        if let tokenRefused { throw Failure(tokenRefused) }
        let why = unreachable.map { server.absence($0) } ?? "can't reach \(server): no answer in time"
        throw Failure(.unavailable, "\(why); and nothing is stored")
    }
}

extension ClientEvent {
    /// The reason why the server refuses the token, if that is what happened.
    var tokenRefusal: ClientError? {
        switch self {
        case .tokenRefused(let error): error
        case .state(.waiting(let error, _)) where error.status?.code == .unauthenticated: error
        default: nil
        }
    }
}
