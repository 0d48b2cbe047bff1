import ArgumentParser
import MarqueeClient

/// How sections are to be shown: `--sort rank=release-date --window genres=12`.
struct SectionChoices: ParsableArguments {
    /// `SECTION=VALUE`.
    struct Choice: ExpressibleByArgument, Hashable {
        var section: String
        var value: String

        init?(argument: String) {
            guard let sign = argument.firstIndex(of: "=") else { return nil }
            section = String(argument[..<sign])
            value = String(argument[argument.index(after: sign)...])
            guard !section.isEmpty, !value.isEmpty else { return nil }
        }
    }

    @Option(
        help: ArgumentHelp(
            "The order of a section, such as rank=release-date. Repeatable; `marquee screens` lists them. The mirror remembers it.",
            valueName: "section=sort"))
    var sort: [Choice] = []

    @Option(
        help: ArgumentHelp(
            "How many items of a section, such as genres=12; the server takes its nearest step. Repeatable.",
            valueName: "section=n"))
    var window: [Choice] = []

    func validate() throws {
        for choice in window where UInt32(choice.value).map({ $0 > 0 }) != true {
            throw ValidationError(
                "'\(choice.value)' in --window \(choice.section)=\(choice.value) is no number of items")
        }
    }

    /// One entry per section, in the order they were named.
    var options: [SectionOptions] {
        var options: [SectionOptions] = []
        func change(_ section: String, _ edit: (inout SectionOptions) -> Void) {
            let index = options.firstIndex { $0.section == section }
            var option = index.map { options[$0] } ?? SectionOptions(section: section)
            edit(&option)
            if let index { options[index] = option } else { options.append(option) }
        }
        for choice in sort { change(choice.section) { $0.sort = choice.value } }
        for choice in window { change(choice.section) { $0.window = UInt32(choice.value) } }
        return options
    }
}
