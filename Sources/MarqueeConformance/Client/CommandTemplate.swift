/// A command with placeholders: `{host}`, `{port}`, `{mirror}` and `{screen}`.
package struct CommandTemplate: Hashable, Sendable {
    package var words: [String]

    package init(_ words: [String]) { self.words = words }

    /// Whether the command has a placeholder for the mirror's path.
    package var namesMirror: Bool { words.contains { $0.contains("{mirror}") } }

    /// Whether the command has a placeholder for the server's port.
    package var namesPort: Bool { words.contains { $0.contains("{port}") } }

    /// The command with values for its placeholders. Other braces stay as they are.
    package func filled(with launch: ClientLaunch) -> [String] {
        let values = [
            "{host}": launch.host, "{port}": String(launch.port), "{mirror}": launch.mirror, "{screen}": launch.screen,
        ]
        return words.map { word in
            var text = ""
            var rest = word[...]
            while let brace = rest.firstIndex(of: "{") {
                text += rest[..<brace]
                rest = rest[brace...]
                let value = values.first { rest.hasPrefix($0.key) }
                text += value?.value ?? "{"
                rest = rest.dropFirst(value?.key.count ?? 1)
            }
            return text + rest
        }
    }
}
