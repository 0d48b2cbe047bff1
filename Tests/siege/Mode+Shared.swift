import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeWire
import NIOCore

/// Pressure on what somebody could take all of: the turn to commit, the hub, clients that are known, variants, budgets,
/// a relay's connection, and the address for operators.
extension Mode {
    static let shared: [Mode] = [
        relayedCalm,
        Mode(name: "relayed-subscribe-and-reset", growth: 384, isRelayed: true) { field in
            await field.again(20) {
                let attacker = try await Attacker.open(field.target)
                try await attacker.greet()
                await attacker.push((1...60).map { detail($0) })
                attacker.reset()
            }
        },
        // One publication is one commit, which others wait for.
        Mode(name: "list-edits", commitsWait: 1_000) { field in
            try await field.publish(65_536) { turn, index in
                let key = "k\((index * 7_919 + turn) % SiegeCatalogue.entries)"
                let edit = #""item":{"key":"\#(key)"},"at":\#(index % 9_000 + 1)"#
                return #"{"listItem":{"list":"\#(SiegeCatalogue.list)",\#(edit)}}"#
            }
        },
        Mode(name: "puts", commitsWait: 3_000) { field in
            try await field.publish(40_000) { turn, index in put(index, "Put \(turn)") }
        },
        Mode(name: "publishers-leave", commitsWait: 1_000) { field in
            await field.again(50) {
                let attacker = try await Attacker.open(field.target)
                try await attacker.greet()
                for part in publication(1, (0..<5_000).map { put($0, "left \(UInt64.random(in: 1 ... .max))") }) {
                    await attacker.push([part])
                }
                attacker.reset()
            }
        },
        // One of them changes the sets, so that each has to be made again.
        Mode(name: "whole-sets") { field in
            let user = SiegeCatalogue.collector
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    try? await field.flood(1, user: user) { turn in
                        [favorite(turn + 1, "movie/\(turn / 2 + 1)", isMember: turn % 2 == 1)]
                    }
                }
                group.addTask {
                    try? await field.flood(4, user: user) { turn in
                        (1...16).map { get(UInt32(turn * 16 + $0), $0 % 2 == 0 ? "user-collections" : "favorites") }
                    }
                }
            }
        },
        Mode(name: "open-manifests", evidence: [#"marquee_limit_hits_total{limit="manifests"}"#]) { field in
            try await field.crowd(min(300, field.connections)) { attacker in
                guard let handle = await attacker.resumeWithNonsense() else { return }
                let pairs = [UInt8](repeating: 7, count: 3_000 * Manifest.pairBytes)
                let part = Manifest(handle: handle, sum: 7, headHash: 7, pairs: pairs, more: true)
                for _ in 0..<20 { await attacker.push([.manifest(part)]) }
                // One in two ends it, and hears that there was no room.
                guard Bool.random() else { return }
                let last = Manifest(handle: handle, sum: 7, headHash: 7, pairs: [], more: false)
                await attacker.push([.manifest(last)])
            }
        },
        Mode(name: "new-client-ids", evidence: [#"marquee_calls_failed_total{method="collection"}"#]) { field in
            await field.again(32) {
                let attacker = try await Attacker.open(field.target)
                try await attacker.greet(user: "newcomer")
                try await attacker.ask(favorite(1, "movie/1", isMember: true))
                attacker.close()
            }
        },
        Mode(
            name: "all-variants", options: ["--max-variants", "1000"],
            evidence: [#"marquee_limit_hits_total{limit="variants"}"#]
        ) { field in
            let crowd = try await field.open(40) { try await $0.greet(user: "greedy") }
            var ids: ClosedRange<UInt32> = 1...64
            while !field.isOver {
                for attacker in crowd where attacker.isOpen { await attacker.push(ids.map { detail($0) }) }
                try? await Task.sleep(for: .milliseconds(500))
                ids = ids.upperBound + 1...ids.upperBound + 64
            }
            for attacker in crowd { attacker.close() }
        },
        Mode(name: "users") { field in
            await field.again(32) {
                let attacker = try await Attacker.open(field.target)
                try await attacker.greet(user: "user-\(UInt64.random(in: 1 ... .max))")
                await attacker.push([subscribe(1, "user-collections"), subscribe(2, "favorites")])
                attacker.close()
            }
        },
        Mode(name: "search-by-letters") { field in
            let text = Array("movie of the siege")
            try await field.flood(20) { turn in
                (1...16).map { step in
                    let query = String(text.prefix(step))
                    let body = CallBodyCodec.encode(SearchRequest(query: query, queryID: UInt64(step), locale: "en"))
                    return .request(Request(call: UInt32(turn * 16 + step), method: .search, body: body))
                }
            }
        },
        Mode(name: "get-and-subscribe") { field in
            try await field.flood(20) { turn in
                (1...8).flatMap { step -> [Message] in
                    let id = UInt32(turn * 8 + step)
                    return [get(id, "large"), detail(id), .unsubscribe(id)]
                }
            }
        },
        Mode(name: "cancelled-work") { field in
            try await field.flood(20) { turn in
                (1...16).flatMap { step -> [Message] in
                    let id = UInt32(turn * 16 + step)
                    return [get(id, "large"), .cancel(call: id)]
                }
            }
        },
        Mode(name: "admin-asked", place: .operators) { field in
            await field.again(4) {
                let attacker = try await Attacker.open(field.admin)
                try await attacker.ask(ByteBuffer(string: "GET /metrics HTTP/1.1\r\nHost: siege\r\n\r\n"))
                attacker.close()
            }
        },
        Mode(name: "admin-dripping", place: .operators) { field in
            let head = ByteBuffer(string: "GET /live HTTP/1.1\r\nHost: \(String(repeating: "siege", count: 100))")
            await field.again(40) {
                let attacker = try await Attacker.open(field.admin)
                for index in 0..<head.readableBytes where !field.isOver && attacker.isOpen {
                    if let byte = head.getSlice(at: index, length: 1) { attacker.send(byte, messages: 0) }
                    try? await Task.sleep(for: .milliseconds(200))
                }
                attacker.close()
            }
        },
    ]

    private static func subscribe(_ id: UInt32, _ screen: String) -> Message {
        .subscribe(Subscribe(subscription: id, screen: screen))
    }

    private static func get(_ call: UInt32, _ screen: String) -> Message {
        .request(Request(call: call, method: .getScreen, body: CallBodyCodec.encode(GetScreenRequest(screen: screen))))
    }

    private static func favorite(_ number: Int, _ subject: String, isMember: Bool) -> Message {
        let change = CollectionRequest(
            number: UInt64(number), answeredThrough: UInt64(number - 1), subject: subject, isMember: isMember)
        return .request(Request(call: UInt32(number), method: .collection, body: CallBodyCodec.encode(change)))
    }

    private static func put(_ index: Int, _ title: String) -> String {
        let id = 1_000_000 + index
        return #"{"put":{"type":"movie","id":"\#(id)","record":{"id":\#(id),"title":{"en":"\#(title)"}}}}"#
    }

    /// A publication in parts, each a call.
    fileprivate static func publication(_ number: Int, _ changes: [String], calls: UInt32 = 0) -> [Message] {
        let atOnce = 400
        let starts = Array(stride(from: 0, to: changes.count, by: atOnce))
        return starts.enumerated().map { index, start in
            let body = PublishRequest(
                number: UInt64(number), answeredThrough: UInt64(number - 1), index: UInt32(index),
                last: index == starts.count - 1,
                changes: changes[start..<min(start + atOnce, changes.count)].map { Array($0.utf8) })
            return .request(
                Request(call: calls + UInt32(index) + 1, method: .publish, body: CallBodyCodec.encode(body)))
        }
    }
}

extension Mode.Field {
    /// The address for operators.
    fileprivate var admin: Target {
        var target = target.plain
        target.port = adminPort
        return target
    }

    /// Publishes so many changes at once, over and over.
    /// - Throws: when a publication is refused: then there is no such pressure.
    fileprivate func publish(
        _ count: Int, _ change: @escaping @Sendable (_ turn: Int, _ index: Int) -> String
    ) async throws {
        let attacker = try await Attacker.open(target)
        try await attacker.greet()
        var (turn, calls) = (0, UInt32(0))
        while !isOver, attacker.isOpen {
            turn += 1
            let turn = turn
            let parts = Mode.publication(turn, (0..<count).map { change(turn, $0) }, calls: calls)
            calls += UInt32(parts.count)
            for part in parts {
                if let refusal = Attacker.refusal(in: try await attacker.ask(part)) {
                    throw SiegeError("a publication was refused: \(refusal)")
                }
            }
        }
        attacker.close()
    }
}

extension Attacker {
    /// Why a call was refused, if the bytes that came back begin with an answer that says so.
    fileprivate static func refusal(in bytes: ByteBuffer) -> Status? {
        var frames = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
        frames.append(bytes)
        guard let frame = try? frames.next(), let message = try? MessageCodec.decode(frame, limits: .client),
            case .answer(let answer) = message, let status = answer.status, status.code != .ok
        else { return nil }
        return status
    }

    /// Subscribes to a large screen and claims to hold what nobody has.
    /// - Returns: the handle of the first section that the server asks to describe.
    fileprivate func resumeWithNonsense() async -> UInt64? {
        let held = ["a", "b", "c", "d"].map { HeldSection(section: $0, sum: 7) }
        let subscribe = Subscribe(
            subscription: 1, screen: "large", resume: Resume(cut: Cut(), viewSum: 7, sections: held))
        guard let answer = try? await ask(.subscribe(subscribe)) else { return nil }
        var frames = FrameDecoder(maximumLength: WireLimits.client.frameBytes)
        frames.append(answer)
        while let frame = try? frames.next() {
            if case .rebase(let rebase)? = try? MessageCodec.decode(frame, limits: .client) {
                return rebase.sections.first?.handle
            }
        }
        return nil
    }
}
