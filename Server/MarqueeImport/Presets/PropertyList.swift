import Foundation
import MarqueeCatalogue

/// A value of a property list, as far as pages need it. Texts are in composed form.
enum PropertyList: Hashable {
    case text(String)
    case list([PropertyList])
    case dictionary([String: PropertyList])
    /// A number, a date, bytes.
    case other

    /// The remaining allowance of a property list.
    struct Account {
        /// The most values, each counted as often as it is referred to.
        var values: Int
        /// The most bytes of all texts.
        var textBytes: Int
        /// The most levels of lists and dictionaries.
        var depth: Int

        private let limits: String

        init(values: Int = 500_000, textBytes: Int = FileContent.limit, depth: Int = 64) {
            (self.values, self.textBytes, self.depth) = (values, textBytes, depth)
            limits = "more than \(values) values, \(textBytes) bytes of text or \(depth) levels"
        }

        /// - Returns: whether there is room for one more value.
        mutating func open(depth level: Int) -> Bool {
            values -= 1
            return values >= 0 && level <= depth
        }

        /// - Returns: whether there is room for a text.
        mutating func add(_ text: String) -> Bool {
            textBytes -= text.utf8.count
            return textBytes >= 0
        }

        var refusal: String { "it stands for \(limits)" }
    }

    /// Reads a file in any of its forms.
    /// - Throws: `malformed` for a file that isn't a property list, with its line where it has lines.
    static func read(_ source: ImportSource) throws(ImportError) -> PropertyList {
        let bytes = try FileContent.read(source)
        if BinaryPropertyList.isBinary(bytes) {
            do throws(BinaryPropertyList.Malformed) {
                return try BinaryPropertyList.read(bytes)
            } catch {
                throw ImportError(.malformed, "\(source.name) is a binary property list, but \(error.reason)")
            }
        }
        if source.encoding == nil, let line = lineOfBadText(bytes) {
            throw ImportError(
                .malformed,
                "\(source.name):\(line): the file is not UTF-8 text, and does not say that it is anything else; name "
                    + "its encoding, such as --encoding euc-kr")
        }
        let document = Data(source.encoding == nil ? bytes : XMLDeclaration.removed(from: bytes))
        do {
            return PropertyList(try PropertyListSerialization.propertyList(from: document, options: [], format: nil))
        } catch {
            let reason = (error as NSError).userInfo["NSDebugDescription"] as? String
            throw ImportError(
                .malformed, "\(source.name) is not a property list\(reason.map { ": \(reworded($0))" } ?? "")")
        }
    }

    /// - Parameter value: as Foundation gives it.
    private init(_ value: Any) {
        switch value {
        case let text as String: self = .text(text.composed)
        case let values as [Any]: self = .list(values.map { PropertyList($0) })
        case let members as [String: Any]:
            self = .dictionary(
                Dictionary(members.map { ($0.key.composed, PropertyList($0.value)) }) { first, _ in first })
        default: self = .other
        }
    }

    /// The line of the first bytes that aren't UTF-8, unless the file declares another encoding.
    private static func lineOfBadText(_ bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil, TextEncoding(byteOrderMarkOf: bytes) == nil else {
            return nil
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if let first = lines.first,
            XMLDeclaration.encoding(in: String(decoding: first.prefix(256), as: UTF8.self)) != nil
        {
            return nil
        }
        return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 } ?? 1
    }

    /// Foundation's reason as the end of a sentence.
    private static func reworded(_ reason: String) -> String {
        reason.prefix(1).lowercased() + reason.dropFirst()
    }
}

extension PropertyList {
    /// The members of a dictionary.
    var members: [String: PropertyList]? { if case .dictionary(let members) = self { members } else { nil } }
    var list: [PropertyList]? { if case .list(let values) = self { values } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
}
