import ArgumentParser
import MarqueeModel

/// Refuses a subcommand that doesn't exist by naming the nearest one. The parser alone would complain about the first
/// option after it.
enum CommandSuggestion {
    /// - Returns: the command that the arguments call.
    /// - Throws: `Failure` for the first word that should be a subcommand but isn't one.
    @discardableResult
    static func check(
        _ arguments: [String], of root: any ParsableCommand.Type
    ) throws -> any ParsableCommand.Type {
        var command = root
        // The parser shows the whole help for a command that doesn't exist.
        let isHelp = arguments.first == "help"
        for word in arguments.dropFirst(isHelp ? 1 : 0) {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), isHelp || word != "help" else { return command }
            if let next = subcommands.first(where: { $0._commandName == word }) {
                command = next
                continue
            }
            let names = subcommands.map { $0._commandName }
            let path = command._commandName == root._commandName ? "" : " \(command._commandName)"
            let hint =
                nearest(to: word, among: names).map { "did you mean '\($0)'?" }
                ?? "there are \(names.joined(separator: ", "))"
            throw Failure(.usage, "there is no command '\(root._commandName)\(path) \(word)'; \(hint)")
        }
        return command
    }

    /// The most letters that may differ; beyond that it is a different word.
    private static let maximumDistance = 2

    /// The name that a person most likely meant: one with that beginning, or differing in few letters.
    static func nearest(to word: String, among names: [String]) -> String? {
        if word.count > 1, let name = names.first(where: { $0.hasPrefix(word) }) { return name }
        let near = names.map { (name: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= min(maximumDistance, $0.name.count / 2) }
        return near.min { $0.distance < $1.distance }?.name
    }

    /// Letters to change, add, drop or swap with their neighbour. Words are short: a person types them.
    static func distance(_ a: String, _ b: String) -> Int {
        NearestName.edits(Array(a.prefix(64)), Array(b.prefix(64)))
    }
}
