/// The header `traceparent` of W3C's Trace Context (https://www.w3.org/TR/trace-context/). It tells which lines in the
/// logs of several programs belong to the same request.
package struct TraceParent: Hashable, Sendable {
    /// Bytes of the text: version, trace id, id of the caller's span and flags, in hexadecimal, joined by hyphens.
    package static let length = 55

    package let text: String

    /// - Parameter text: of version 00, or of a later version, which begins with the same four parts. The result is
    ///   `nil` for anything else: a mistake in a caller's tracing is no reason to refuse its call.
    package init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.length + 1))
        let parts = bytes.prefix(Self.length).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [2, 32, 16, 2], parts.allSatisfy({ $0.allSatisfy(Self.isHexadecimal) }),
            parts[0] != Array("ff".utf8)[...], Self.isNotZero(parts[1]), Self.isNotZero(parts[2])
        else { return nil }
        if bytes.count > Self.length {
            guard parts[0] != Array("00".utf8)[...], bytes[Self.length] == UInt8(ascii: "-") else { return nil }
        }
        self.text = String(decoding: bytes.prefix(Self.length), as: UTF8.self)
    }

    /// The same for everything that one request to the outermost program causes.
    package var traceID: Substring { text.dropFirst(3).prefix(32) }
    /// The caller's own span.
    package var parentID: Substring { text.dropFirst(36).prefix(16) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }

    private static func isNotZero(_ digits: ArraySlice<UInt8>) -> Bool {
        digits.contains { $0 != UInt8(ascii: "0") }
    }
}
