import MarqueeDiff

/// Facts about a reader, such as a plan or a country, that are part of the identity. Audiences are defined by them.
package struct Claims: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case text(String)
        /// Each once, in order.
        case texts([String])
        /// The claim's value can't be compared.
        case malformed

        /// - Returns: `malformed` if there are too many texts, or one is too long.
        package init(texts: [String]) {
            let isBounded =
                texts.count <= Claims.maximumValues && texts.allSatisfy { $0.utf8.count <= Claims.maximumValueBytes }
            self = isBounded ? .texts(Set(texts).sorted()) : .malformed
        }

        /// - Returns: `malformed` if the text is too long.
        package init(text: String) { self = text.utf8.count <= Claims.maximumValueBytes ? .text(text) : .malformed }
    }

    /// Limits on an identity's claims, the bytes of a claim's name, the values of a list, and the bytes of a value.
    package static let maximumClaims = 32
    package static let maximumNameBytes = 256
    package static let maximumValues = 64
    package static let maximumValueBytes = 256

    package static let none = Claims([:])

    package let values: [String: Value]
    /// Audiences that an imagined reader is in, whatever the claims.
    let audiences: Set<String>
    /// A checksum of the claims where they are compared but not judged, as in a relay; 0 for none.
    package let sum: UInt64

    package init(_ values: [String: Value], audiences: Set<String> = []) {
        self.values = values
        self.audiences = audiences
        sum = Self.sum(of: values)
    }

    /// Creates the claims of a relay's guest, which only the server upstream can judge.
    package init(sum: UInt64) {
        (values, audiences) = ([:], [])
        self.sum = sum
    }

    package var isEmpty: Bool { sum == 0 }

    /// The claims in text form, such as `plan=plus`, one for each value.
    package var texts: [String] {
        values.sorted { $0.key < $1.key }.flatMap { name, value in
            switch value {
            case .text(let text): ["\(name)=\(text)"]
            case .texts(let texts): texts.map { "\(name)=\($0)" }
            case .malformed: [String]()
            }
        }
    }

    subscript(name: String) -> Value? { values[name] }

    private static func sum(of values: [String: Value]) -> UInt64 {
        guard !values.isEmpty else { return 0 }
        var bytes: [UInt8] = []
        func add(_ text: String) {
            bytes += text.utf8
            // No UTF-8 text contains this byte.
            bytes.append(.max)
        }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            add(name)
            let (kind, texts): (UInt8, [String]) =
                switch value {
                case .text(let text): (1, [text])
                case .texts(let texts): (2, texts)
                case .malformed: (3, [])
                }
            bytes.append(kind)
            for text in texts { add(text) }
            bytes.append(.max)
        }
        return max(XXH64.hash(bytes), 1)
    }
}
