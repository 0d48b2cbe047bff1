import ArgumentParser
import Foundation

/// Refuses an option that takes one value and has two: the parser would take the last, and say nothing.
struct RepeatedOption {
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
        }

        var command: Command
    }

    /// The options with one value, by each of their names, dashes included.
    private let options: [String: (name: String, isRepeating: Bool)]

    init(of command: any ParsableCommand.Type) {
        let description = try? JSONDecoder().decode(Description.self, from: Data(command._dumpHelp().utf8))
        var options: [String: (name: String, isRepeating: Bool)] = [:]
        for argument in description?.command.arguments ?? [] where argument.kind == "option" {
            let names = (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
            guard let first = names.first(where: { $0.hasPrefix("--") }) ?? names.first else { continue }
            for name in names { options[name] = (first, argument.isRepeating) }
        }
        self.options = options
    }

    /// The first option among the arguments that is given twice and takes one value; `nil` if there is none.
    func name(in arguments: [String]) -> String? {
        var seen: Set<String> = []
        var rest = arguments.prefix { $0 != "--" }
        while let word = rest.popFirst() {
            let name = String(word.prefix { $0 != "=" })
            guard let option = options[name] else { continue }
            // Its value may look like an option.
            if name.count == word.count { _ = rest.popFirst() }
            guard option.isRepeating || seen.insert(option.name).inserted else { return option.name }
        }
        return nil
    }

    /// - Throws: `Failure` for the first option that is given twice and takes one value.
    static func check(_ arguments: [String], of command: any ParsableCommand.Type) throws(Failure) {
        let names = arguments.filter { $0.hasPrefix("-") }.map { $0.prefix { $0 != "=" } }
        // Most of the time nothing needs the command's own list.
        guard Set(names).count < names.count || names.contains(where: { !$0.hasPrefix("--") }) else { return }
        if let name = RepeatedOption(of: command).name(in: arguments) {
            throw Failure(.usage, "\(name) is given twice, and takes one value")
        }
    }
}
