import Foundation

/// Values of headers that a reader of addresses goes by.
package enum HTTPHeaderText {
    /// The pause that `Retry-After` asks for, in milliseconds; `nil` if it can't be read.
    /// - Parameters:
    ///   - text: `120`, or `Wed, 21 Oct 2026 07:28:00 GMT`.
    ///   - now: seconds since 1970.
    package static func retryAfter(_ text: String, now: Double) -> UInt64? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = UInt64(text) {
            let (time, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000)
            return isTooMuch ? .max : time
        }
        return time(text).map { UInt64(max(0, ($0 - now) * 1_000)) }
    }

    /// A time as seconds since 1970; `nil` if it can't be read.
    private static func time(_ text: String) -> Double? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)?.timeIntervalSince1970
    }

    /// Whether `Last-Modified` names one content alone. It has whole seconds: what was changed just now may change
    /// again and keep its time.
    /// - Parameters:
    ///   - date: the answer's own `Date`.
    ///   - now: seconds since 1970, for an answer without one.
    package static func isSettled(_ modified: String, date: String?, now: Double) -> Bool {
        guard let modified = time(modified) else { return false }
        return modified + 2 <= date.flatMap(time) ?? now
    }

    /// The address of the next page in `Link`: `<https://api.example/rows?page=2>; rel="next"`.
    package static func next(_ links: [String]) -> String? {
        for text in links {
            var rest = text[...]
            while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
                let address = rest[rest.index(after: open)..<close]
                rest = rest[rest.index(after: close)...]
                // A comma may be in a text, but no address begins there.
                let end = rest.firstIndex(of: "<") ?? rest.endIndex
                if isNext(rest[..<end]) { return String(address) }
                rest = rest[end...]
            }
        }
        return nil
    }

    /// - Parameter parameters: `; rel="next last"; title="More"`.
    private static func isNext(_ parameters: Substring) -> Bool {
        parameters.split(whereSeparator: { ";,".contains($0) }).contains { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1)
                .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            guard parts.count == 2, parts[0] == "rel" else { return false }
            return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"'")).split(separator: " ")
                .contains("next")
        }
    }
}
