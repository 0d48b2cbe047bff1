/// Rewrites a command line so that negative numbers are parsed as values; the parser would take `-5` for an option.
package enum NegativeArguments {
    /// `--most -5` becomes `--most=-5`; a number that belongs to no option goes to the end, after `--`. A number after
    /// a flag becomes the flag's value, which the parser refuses.
    package static func asValues(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        var words: [String] = []
        var numbers: [String] = []
        for word in arguments[..<end] {
            guard isNegative(word) else {
                words.append(word)
                continue
            }
            if let last = words.last, last.hasPrefix("--"), last.count > 2, !last.contains("=") {
                words[words.count - 1] = "\(last)=\(word)"
            } else {
                numbers.append(word)
            }
        }
        if numbers.isEmpty { return words + arguments[end...] }
        return words + ["--"] + arguments[end...].dropFirst() + numbers
    }

    private static func isNegative(_ word: String) -> Bool {
        word.first == "-" && word.dropFirst().first.map { ("0"..."9").contains($0) } == true
    }
}
