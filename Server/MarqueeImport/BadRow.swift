/// Why a row is left out.
struct BadRow: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

extension BadRow {
    /// Says a decoder's error in one line.
    init(_ error: any Error, in what: String) {
        guard let error = error as? DecodingError else {
            self.init("\(what): \(error)")
            return
        }
        let context: DecodingError.Context
        var reason: String
        switch error {
        case .keyNotFound(let key, let found): (context, reason) = (found, "'\(key.stringValue)' is missing")
        case .typeMismatch(let type, let found): (context, reason) = (found, "a \(type) is expected")
        case .valueNotFound(let type, let found): (context, reason) = (found, "a \(type) is expected, not null")
        case .dataCorrupted(let found): (context, reason) = (found, found.debugDescription)
        @unknown default:
            self.init("\(what): it can't be decoded")
            return
        }
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        if !path.isEmpty { reason += " at \(path.hasPrefix(".") ? String(path.dropFirst()) : path)" }
        self.init("\(what): \(reason)")
    }
}
