/// A variable of the environment that means nothing here, but is nearly the name of one that does.
package struct MisspeltVariable: Hashable, Sendable {
    package var name: String
    /// The variable that was probably meant.
    package var meant: String

    /// The first one, by its name; `nil` if there is none. An empty variable is as good as none, and variables with
    /// names of their own are left to whoever set them.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of all names in question. Only what follows it is compared.
    ///   - known: the names that mean something, with the prefix.
    package init?(in environment: [String: String], prefix: String, known: [String]) {
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

    package var message: String { "there is no variable '\(name)'; did you mean '\(meant)'?" }
}
