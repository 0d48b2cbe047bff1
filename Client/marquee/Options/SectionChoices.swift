import ArgumentParser
import MarqueeClient
import MarqueeModel

/// How sections are to be shown: `--sort rank=release-date --window genres=12 --anchor list=value:M`.
struct SectionChoices: ParsableArguments {
    /// `SECTION=VALUE`. The id of a section may contain `=`; a window or a sort doesn't.
    struct Choice: ExpressibleByArgument, Hashable {
        var section: String
        var value: String

        init?(argument: String) {
            guard let sign = argument.lastIndex(of: "=") else { return nil }
            section = String(argument[..<sign])
            value = String(argument[argument.index(after: sign)...])
            guard !section.isEmpty, !value.isEmpty else { return nil }
        }
    }

    /// `SECTION=PLACE`. The section's id may contain `=`, and so may an item's.
    struct Place: ExpressibleByArgument, Hashable {
        var section: String
        var text: String

        init?(argument: String) {
            let sign = argument.indices.first { index in
                argument[index] == "="
                    && WindowPlace(written: String(argument[argument.index(after: index)...]), rows: nil) != nil
            }
            guard let sign, sign > argument.startIndex else { return nil }
            (section, text) = (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
        }
    }

    @Option(
        help: ArgumentHelp(
            """
            The order of a section, such as rank=release-date; `marquee screens` lists them. The mirror remembers it. \
            Repeatable.
            """,
            valueName: "section=sort"))
    var sort: [Choice] = []

    @Option(
        help: ArgumentHelp(
            """
            How many items of a section to show, such as genres=12. The server offers fixed steps and takes the next \
            one up; if that is a different number, a note says so. Repeatable.
            """,
            valueName: "section=n"))
    var window: [Choice] = []

    @Option(
        help: ArgumentHelp(
            """
            The place in a list that allows windows anywhere: start, end, item:ID or value:TEXT, such as \
            list=item:movie/27205 or list=value:M. --window says how many rows. Repeatable.
            """,
            valueName: "section=place"))
    var anchor: [Place] = []

    func validate() throws {
        for choice in window where UInt32(choice.value).map({ $0 > 0 }) != true {
            throw ValidationError(
                "'\(choice.value)' in --window \(choice.section)=\(choice.value) is not a number of items")
        }
    }

    /// Windows and sorts that a screen doesn't show as requested: a text for each section.
    func unmet(on screen: Screen) -> [String] {
        options.compactMap { option in
            guard let head = screen[section: option.section]?.head else { return nil }
            var texts: [String] = []
            if let window = option.window, head.anywhere == 0, window != Int(head.window) {
                if head.windows.isEmpty {
                    texts.append("the section '\(option.section)' has no windows; all of it is shown")
                } else {
                    let steps = head.windows.map { String($0) }.joined(separator: ", ")
                    texts.append(
                        "the section '\(option.section)' shows \(head.window), not \(window): its windows are \(steps)")
                }
            }
            if head.anywhere > 0, let window = option.window, window > Int(head.anywhere) {
                texts.append("the section '\(option.section)' shows at most \(head.anywhere) rows")
            }
            if let sort = option.sort, sort != head.sort {
                texts.append(
                    "the section '\(option.section)' is sorted by \(head.sort.isEmpty ? "its only order" : head.sort)"
                        + ", not by \(sort)")
            }
            return texts.isEmpty ? nil : texts.joined(separator: "; ")
        }
    }

    /// - Throws: `Failure` for a section that the screen doesn't have, as the server would refuse it.
    func check(against screen: Screen) throws {
        for option in options where screen[section: option.section] == nil {
            throw Failure.unknownSection(option.section, of: screen.id, known: screen.sections.map(\.id))
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
        for choice in window { change(choice.section) { $0.window = Int(choice.value) } }
        for place in anchor {
            change(place.section) {
                $0.place = WindowPlace(written: place.text, rows: $0.window.map { UInt32(clamping: $0) })
                $0.window = nil
            }
        }
        return options
    }
}
