import MarqueeModel

/// The values of a command's options, from three places: a file, the environment, and the arguments. Each overrides the
/// one before it.
struct Settings: Sendable {
    /// Where a value comes from.
    enum Source: Hashable, Sendable {
        case file(String)
        case variable(String)
        case argument

        var text: String {
            switch self {
            case .file(let path): path
            case .variable(let name): name
            case .argument: "argument"
            }
        }
    }

    struct Setting: Hashable, Sendable {
        /// All values of an option that may be repeated; none of a flag.
        var values: [String]
        var source: Source
        /// `false` for a flag that is turned off.
        var isOn = true
    }

    /// The prefix of variables: `MARQUEE_SERVER_TLS_CERT` is `--tls-cert`.
    static let variablePrefix = "MARQUEE_SERVER_"

    /// The settings by option name, without options that nobody sets.
    let values: [String: Setting]
    /// The arguments equivalent to all of them.
    let arguments: [String]

    /// - Parameters:
    ///   - options: the command's options.
    ///   - file: the settings in a file, by the options' names, and its path; a flag is `true` or `false`.
    ///   - environment: the variables of the process.
    ///   - arguments: what follows the command's name.
    /// - Throws: `CommandFailure` for a name that isn't an option's, or for a flag that is neither true nor false.
    init(
        _ options: OptionList, file: (values: [String: [String]], path: String)?, environment: [String: String],
        arguments: [String]
    ) throws(CommandFailure) {
        var values: [String: Setting] = [:]
        if let file {
            for (name, texts) in file.values {
                guard let option = options.named(name) else {
                    let hint = NearestName.hint(for: name, among: options.options.map(\.name))
                    throw CommandFailure(.configuration, "\(file.path): there is no option '\(name)'\(hint)")
                }
                values[name] = try Self.setting(option, texts, from: .file(file.path))
            }
        }
        for (variable, text) in environment where variable.hasPrefix(Self.variablePrefix) {
            let name = variable.dropFirst(Self.variablePrefix.count).lowercased().replacing("_", with: "-")
            // An empty variable counts as unset.
            guard !text.isEmpty, !OtherVariables.contains(variable, environment) else { continue }
            guard let option = options.named(name) else {
                let hint = NearestName.suggestion(for: name, among: options.options.map(\.name)).map {
                    "; did you mean '\(Self.variable(of: $0))'?"
                }
                throw CommandFailure(
                    .configuration,
                    "\(variable): there is no option '\(name)'\(hint ?? "; unset it, or see 'serve --help'")")
            }
            let texts = option.isRepeating ? text.split(separator: ",").map(String.init) : [text]
            values[name] = try Self.setting(option, texts, from: .variable(variable))
        }
        for (name, texts) in Self.given(arguments, options) {
            values[name] = Setting(values: texts, source: .argument)
        }
        self.values = values
        let before = options.options.flatMap { option -> [String] in
            guard let setting = values[option.name], setting.isOn, setting.source != .argument else { return [] }
            return option.isFlag ? ["--\(option.name)"] : setting.values.map { "--\(option.name)=\($0)" }
        }
        self.arguments = before + arguments
    }

    /// The variable of an option.
    static func variable(of name: String) -> String {
        variablePrefix + name.uppercased().replacing("-", with: "_")
    }

    private static func setting(
        _ option: OptionList.Option, _ texts: [String], from source: Source
    ) throws(CommandFailure) -> Setting {
        guard option.isFlag else {
            guard option.isRepeating || texts.count == 1 else {
                throw CommandFailure(.configuration, "\(source.text): '\(option.name)' takes one value")
            }
            return Setting(values: texts, source: source)
        }
        guard texts.count == 1, let isOn = texts.first.flatMap(FlagVariable.value) else {
            throw CommandFailure(.configuration, "\(source.text): '\(option.name)' is true or false")
        }
        return Setting(values: [], source: source, isOn: isOn)
    }

    /// The options among the arguments, with their values.
    private static func given(_ arguments: [String], _ options: OptionList) -> [String: [String]] {
        options.given(in: arguments).reduce(into: [:]) { given, next in
            let before = next.option.isRepeating ? given[next.option.name] ?? [] : []
            given[next.option.name] = before + [next.value].compactMap { $0 }
        }
    }

    /// Returns the names of the options that differ in other settings, sorted.
    func changes(in other: Settings) -> [String] {
        Set(values.keys).union(other.values.keys).filter { value(of: $0) != other.value(of: $0) }.sorted()
    }

    /// The values of an option; a flag that is turned off counts as unset.
    private func value(of name: String) -> [String]? { values[name].flatMap { $0.isOn ? $0.values : nil } }

    /// A clause that says where the options in an error's message were set, if not among the arguments.
    func origin(of message: String) -> String {
        let sources = values.filter { message.contains("--\($0.key)") && $0.value.source != .argument }
            .sorted { $0.key < $1.key }.map { "\($0.key) is set in \($0.value.source.text)" }
        return sources.isEmpty ? "" : "; \(sources.joined(separator: ", "))"
    }
}
