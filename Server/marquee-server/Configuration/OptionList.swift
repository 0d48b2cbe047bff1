import Foundation

/// The options of a command, as the command itself describes them.
struct OptionList: Sendable {
    struct Option: Hashable, Sendable {
        /// Without the dashes.
        var name: String
        /// Whether the option has no value.
        var isFlag: Bool
        /// Whether it may be given several times.
        var isRepeating: Bool
        /// The default that its help gives; `nil` for none.
        var standard: String?
    }

    /// The options in the order of the help.
    let options: [Option]
    /// All names of all options, including those that every command has.
    let names: Set<String>

    /// Options that aren't settings: they print something instead, or name the file of settings.
    private static let others: Set<String> = ["version", "help", "config"]

    /// - Parameter description: what `--experimental-dump-help` prints.
    init(description: String) {
        let description = try? JSONDecoder().decode(Description.self, from: Data(description.utf8))
        let arguments = description?.command.arguments ?? []
        let names = arguments.lazy.flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name)
        self.names = Set(names).union(Self.others).union(["generate-completion-script", "experimental-dump-help"])
        options = arguments.compactMap { argument in
            guard let name = argument.names?.first(where: { $0.kind == "long" })?.name, !Self.others.contains(name)
            else {
                return nil
            }
            return Option(
                name: name, isFlag: argument.kind == "flag", isRepeating: argument.isRepeating,
                standard: argument.defaultValue ?? argument.abstract.flatMap(Self.standard))
        }
    }

    /// Returns the value that a help text gives in "(default: …)".
    private static func standard(_ help: String) -> String? {
        guard let begin = help.range(of: "(default: ", options: .backwards), let end = help.lastIndex(of: ")") else {
            return nil
        }
        return begin.upperBound < end ? String(help[begin.upperBound..<end]) : nil
    }

    func named(_ name: String) -> Option? { options.first { $0.name == name } }

    /// The options among arguments, in their order; a flag has no value.
    func given(in arguments: [String]) -> [(option: Option, value: String?)] {
        var given: [(option: Option, value: String?)] = []
        var rest = arguments.prefix { $0 != "--" }
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else { continue }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.map(String.init), let option = named(name) else { continue }
            let value = parts.count > 1 ? String(parts[1]) : option.isFlag ? nil : rest.popFirst()
            given.append((option, value))
        }
        return given
    }

    /// A complaint about an option that takes one value and has two, of which the parser would take the last, or about
    /// one whose value is empty.
    /// - Parameter allowsEmpty: whether values may be empty.
    func complaint(about arguments: [String], allowsEmpty: Bool) -> String? {
        var names: Set<String> = []
        for (option, value) in given(in: arguments) where !option.isFlag {
            if value?.isEmpty == true, !allowsEmpty { return "--\(option.name) is empty" }
            guard option.isRepeating || names.insert(option.name).inserted else {
                return "--\(option.name) is given twice, and takes one value"
            }
        }
        return nil
    }

    private struct Description: Decodable {
        struct Command: Decodable {
            var arguments: [Argument]?
        }

        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }

            var kind: String
            var names: [Name]?
            var isRepeating: Bool
            var defaultValue: String?
            var abstract: String?
        }

        var command: Command
    }
}
