import Crypto
import Foundation
import MarqueeModel
import NIOHTTP1

/// An endpoint for the deliveries of another program in its own form: how they are signed, and which changes they mean.
struct Hook: Sendable {
    /// A change that a delivery may mean.
    struct Rule: Sendable {
        /// All of these have to hold.
        var conditions: [Condition] = []
        /// The list in which each element means a change; `nil` for the delivery itself.
        var each: HookPath?
        /// The change, as JSON.
        var change: HookTemplate
    }

    struct Condition: Hashable, Sendable {
        enum Source: Hashable, Sendable {
            /// A field of the request's head.
            case header(String)
            case path(HookPath)
        }

        var source: Source
        /// One of these texts.
        var allowed: [String]
    }

    let name: String
    /// `nil` if the sender shows a token instead.
    var signature: HookSignature?
    /// Whether a delivery that is sent again, under the same signature, takes effect again.
    var repeats = false
    var rules: [Rule]

    /// The most bytes of a delivery.
    static let maximumBytes = 1 << 20

    /// The changes that a delivery means, each as JSON.
    /// - Throws: the problem to answer with.
    func changes(_ headers: HTTPHeaders, _ delivery: JSONValue) throws(WebProblem) -> [[UInt8]] {
        var documents: [[UInt8]] = []
        for rule in rules where rule.conditions.allSatisfy({ $0.holds(headers, delivery) }) {
            let subjects: [JSONValue]
            switch rule.each?.value(in: delivery) {
            case nil where rule.each == nil: subjects = [delivery]
            case .list(let elements): subjects = elements
            case nil: subjects = []
            default: throw .deliveryInvalid("'each' of the hook is for a list, and there is something else")
            }
            guard documents.count + subjects.count <= WebPublication.maximumChanges else {
                throw .deliveryInvalid("it means more than \(WebPublication.maximumChanges) changes")
            }
            documents += subjects.compactMap {
                rule.change.filled(from: $0).map { Array($0.withTextIDs.sortedText.utf8) }
            }
        }
        return documents
    }

    /// A key by which a delivery under this signature takes effect once.
    func key(_ signature: [UInt8]) -> String? {
        if repeats { return nil }
        let digest = SHA256.hash(data: Data(name.utf8) + [0] + signature)
        return "hook/" + Array(digest).hexadecimal
    }
}

extension Hook.Condition {
    fileprivate func holds(_ headers: HTTPHeaders, _ delivery: JSONValue) -> Bool {
        switch source {
        case .header(let name): headers[name].contains { allowed.contains($0) }
        case .path(let path): path.value(in: delivery)?.scalarText.map { allowed.contains($0) } ?? false
        }
    }
}

extension JSONValue {
    /// The change with `id` as text, even if the delivery has a number.
    fileprivate var withTextIDs: JSONValue {
        guard case .object(let changes) = self else { return self }
        return .object(
            changes.map { change in
                guard case .object(let members) = change.value else { return change }
                let texts = members.map { member in
                    guard member.name == "id", case .number(let digits) = member.value else { return member }
                    return Member(name: member.name, value: .text(digits))
                }
                return Member(name: change.name, value: .object(texts))
            })
    }
}

extension WebProblem {
    static func deliveryInvalid(_ why: String) -> WebProblem {
        WebProblem(status: 422, reason: "DELIVERY_INVALID", detail: "nothing was changed: \(why)")
    }

    static func unknownHook(_ name: String) -> WebProblem {
        WebProblem(
            status: 404, reason: "UNKNOWN_HOOK",
            detail: "there is no hook '\(name.prefix(64))' in the file that --web-hooks names", endsConnection: true)
    }
}
