/// An environment variable with an unknown name that resembles a known one.
package struct MisspeltVariable: Hashable, Sendable {
    package var name: String
    /// The variable that was probably meant.
    package var meant: String

    /// Finds the first misspelt variable in alphabetical order; `nil` if there is none. Empty variables count as unset,
    /// and names that resemble no known one are ignored.
    ///
    /// - Parameters:
    ///   - prefix: the prefix that all names share. Only the rest of each name is compared.
    ///   - known: the known names, with the prefix.
    package init?(in environment: [String: String], prefix: String, known: [String]) {
        for name in environment.keys.sorted() {
            let capitals = Self.capitals(name)
            guard capitals != name, known.contains(capitals), environment[name]?.isEmpty == false else { continue }
            (self.name, meant) = (name, capitals)
            return
        }
        let candidates = known.map { String($0.dropFirst(prefix.count)) }
        let others = environment.filter { !$0.value.isEmpty && $0.key.hasPrefix(prefix) && !known.contains($0.key) }
        for name in others.keys.sorted() {
            guard let meant = NearestName.suggestion(for: String(name.dropFirst(prefix.count)), among: candidates)
            else { continue }
            (self.name, self.meant) = (name, prefix + meant)
            return
        }
        return nil
    }

    /// A name as variables are written: in capitals, with underscores.
    package static func capitals(_ name: String) -> String { name.uppercased().replacing("-", with: "_") }

    package var message: String { "there is no variable '\(name)'; did you mean '\(meant)'?" }
}
