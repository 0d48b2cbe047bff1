import ArgumentParser
import Foundation

/// `marquee-server config`
struct ConfigCommand: ServingCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings that 'serve' would have, and where each comes from.",
        discussion: """
            Takes the options of 'serve', a file and the environment, as 'serve' does, and checks them; serves nothing.

              marquee-server config --config marquee.yaml
              marquee-server config --config marquee.yaml --listen 0.0.0.0:7420

            A file has the options' names with their values; a flag is true or false, an option that may be repeated a list:

              data: /var/lib/marquee
              listen: 0.0.0.0:7420
              no-anonymous: true
              rotate: [main=30]

            The variable of an option is its name in capitals: \(Settings.variablePrefix)LISTEN. Values of a \
            repeated option are separated by commas. Arguments override variables, and variables the file.
            """)

    @OptionGroup var file: ConfigurationOptions

    @OptionGroup var store: PlaceOptions

    @OptionGroup var service: ServiceOptions

    @OptionGroup var jwt: JWTOptions

    @OptionGroup var protection: ServerProtectionOptions

    @OptionGroup var limits: LimitOptions

    @OptionGroup var logging: LoggingOptions

    @OptionGroup var running: RunningOptions

    @OptionGroup var admin: AdminOptions

    @OptionGroup var web: WebOptions

    @OptionGroup var replaying: ReplayOptions

    func run() throws {
        let settings = try ServeSettings.current()
        let rows = ServeSettings.options.options.map { option -> [String] in
            guard let setting = settings.values[option.name] else {
                return [option.name, option.isFlag ? "false" : option.standard ?? "-", "default"]
            }
            // A database address may contain a password.
            let values = option.name == "store" ? [serving.store.place.name] : setting.values
            return [
                option.name, option.isFlag ? "\(setting.isOn)" : values.joined(separator: ", "), setting.source.text,
            ]
        }
        for line in Columns.lines(rows) { Console.say(line) }
    }
}

/// The settings of `serve`.
enum ServeSettings {
    static let options = OptionList(description: ServeCommand._dumpHelp())
    /// The commands that have them.
    static let commands = [ServeCommand.configuration, ConfigCommand.configuration].compactMap(\.commandName)

    /// Whether the arguments or the environment name a file.
    static func hasFile(
        arguments: [String] = Array(CommandLine.arguments.dropFirst(2)),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool { ConfigurationFile.path(arguments: arguments, environment: environment) != nil }

    /// The settings of this process, with the file as it is now.
    /// - Parameter arguments: what follows the command's name.
    static func current(
        arguments: [String] = Array(CommandLine.arguments.dropFirst(2)),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) -> Settings {
        var file: (values: [String: [String]], path: String)?
        if let path = ConfigurationFile.path(arguments: arguments, environment: environment) {
            file = (try ConfigurationFile.read(path), path)
        }
        return try Settings(options, file: file, environment: environment, arguments: arguments)
    }

    /// Adds the settings in a file and in the environment to the arguments of a command that has these settings.
    /// - Parameter arguments: all of the process, without its own name.
    static func expand(
        _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) -> (arguments: [String], settings: Settings?) {
        let rest = Array(arguments.dropFirst())
        // Help needs neither the file nor the environment.
        guard let command = arguments.first, !rest.contains("--help"), !rest.contains("-h"),
            !rest.contains("--experimental-dump-help")
        else { return (arguments, nil) }
        if commands.contains(command) || command == CheckCommand.configuration.commandName,
            let misplaced = MisplacedVariable(in: environment, options: options.options.map(\.name))
        {
            throw CommandFailure(.configuration, misplaced.message)
        }
        guard commands.contains(command) else { return (arguments, nil) }
        guard
            hasFile(arguments: rest, environment: environment)
                || environment.keys.contains(where: { $0.hasPrefix(Settings.variablePrefix) })
        else { return (arguments, nil) }
        let settings = try current(arguments: rest, environment: environment)
        return ([command] + settings.arguments, settings)
    }

    /// Warns of variables that a command ignores because it serves without these settings.
    static func warn(
        _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        guard let command = arguments.first, othersThatServe.contains(command) else { return }
        let ignored = ignored(environment)
        if !ignored.isEmpty {
            Console.complain(
                "'\(command)' takes its options from its arguments alone: \(ignored.joined(separator: ", ")) mean"
                    + "\(ignored.count == 1 ? "s" : "") nothing to it")
        }
    }

    private static let othersThatServe = [RelayCommand.configuration, ReplayCommand.configuration].compactMap(
        \.commandName)

    /// The variables that would be settings of `serve`.
    static func ignored(_ environment: [String: String]) -> [String] {
        environment.filter { variable, text in
            variable.hasPrefix(Settings.variablePrefix) && !text.isEmpty
                && !OtherVariables.contains(variable, environment)
        }.keys.sorted()
    }
}
