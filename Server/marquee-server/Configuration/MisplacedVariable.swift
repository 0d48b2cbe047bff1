import MarqueeModel

/// An environment variable that looks like a setting of the server but isn't one, because the prefix of its name is
/// missing or misspelt, or it isn't in capitals. Ignored in silence, it could allow what it was meant to forbid.
struct MisplacedVariable: Hashable {
    var name: String
    /// The setting's variable.
    var meant: String

    /// The first such variable by name; `nil` if there is none. Empty variables, and those that mean something to
    /// another program, don't count.
    /// - Parameter options: the names of the server's options.
    init?(in environment: [String: String], options: [String]) {
        let (prefix, settings) = (KnownVariables.prefix, Settings.variablePrefix)
        let known = Set(KnownVariables.client + KnownVariables.others)
        let variables = options.map(Settings.variable)
        let others = environment.filter { name, text in
            !text.isEmpty && MisspeltVariable.capitals(name).hasPrefix(prefix) && !name.hasPrefix(settings)
                && !known.contains(name) && !OtherVariables.contains(name, environment)
        }
        for name in others.keys.sorted() {
            let capitals = MisspeltVariable.capitals(name)
            let rest = String(capitals.dropFirst(prefix.count))
            let meant =
                variables.first { $0 == capitals }
                ?? NearestName.suggestion(for: rest, among: variables.map { String($0.dropFirst(settings.count)) })
                .map { settings + $0 }
                ?? NearestName.suggestion(for: rest, among: variables.map { String($0.dropFirst(prefix.count)) })
                .map { prefix + $0 }
            guard let meant else { continue }
            (self.name, self.meant) = (name, meant)
            return
        }
        return nil
    }

    var message: String {
        "\(name) isn't a setting of the server; did you mean '\(meant)'? Unset it if it is for something else"
    }
}
