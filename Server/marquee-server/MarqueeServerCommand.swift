import ArgumentParser
import MarqueeModel
import MarqueeServer

/// The program `marquee-server`.
@main
struct MarqueeServerCommand: AsyncParsableCommand {
    static let name = "marquee-server"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Serves live screens of an app's catalogue.",
        discussion: """
            A data folder holds the catalogue, what the screens show, and everybody's favorites. Fill it, then serve it:

              \(name) import types Samples/catalogue/types.yaml --data data
              \(name) import ndjson Samples/catalogue/catalogue.ndjson --data data
              \(name) serve --data data --programme Samples/catalogue/programme.yaml --open

            'scaffold' writes types and screens for data that you have already, in files or a database.

            'backup' saves a data folder, even while it is served, and 'restore' creates one from a backup. \
            'verify' looks for damage.

            Ctrl-C or SIGTERM shuts a server down in an orderly way; a second one ends it at once.

            \(CommandFailure.Code.explanation)
            """,
        version: "\(name) \(MarqueeServer.version)",
        subcommands: [
            ServeCommand.self, RelayCommand.self, ReplayCommand.self, ScaffoldCommand.self, ImportCommand.self,
            FollowCommand.self, SourceCommand.self,
            CheckCommand.self,
            BackupCommand.self,
            RestoreCommand.self, VerifyCommand.self, SeenCommand.self, TypesCommand.self, TokenCommand.self,
            SessionsCommand.self,
            EpochCommand.self, ConfigCommand.self,
        ])

    /// Runs what the arguments ask for, and ends the process with an exit code if it fails.
    static func main() async {
        var settings: Settings?
        do {
            let arguments: [String]
            (arguments, settings) = try ServeSettings.expand(
                NegativeArguments.asValues(Array(CommandLine.arguments.dropFirst())))
            ServeSettings.warn(arguments)
            if let message = unknownCommand(in: [name] + arguments) { throw CommandFailure(.usage, message) }
            if let complaint = complaint(about: arguments) { throw ValidationError(complaint) }
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            // A server keeps running without its output: a full disk under its log mustn't end it.
            let isServer = command is ServeCommand || command is RelayCommand || command is ReplayCommand
            if !isServer { try Console.checkOutput() }
        } catch {
            end(with: error, settings)
        }
    }

    /// Says in one line what is wrong. Help and version go to standard output and count as success.
    private static func end(with error: any Error, _ settings: Settings?) -> Never {
        if error is Interruption.Ended { exit(withError: ExitCode(CommandFailure.Code.interrupted)) }
        if let failure = error as? CommandFailure {
            Console.explain(failure.details)
            Console.complain(failure.message, .error)
            exit(withError: ExitCode(failure.code.rawValue))
        }
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        let message = unknownOption(in: CommandLine.arguments) ?? message(for: error)
        Console.complain(
            "\(message)\(settings?.origin(of: message) ?? ""); see '\(helpCall(for: CommandLine.arguments)) --help'")
        exit(withError: ExitCode(CommandFailure.Code.usage.rawValue))
    }

    /// The command that was meant, as far as one can tell: `marquee-server import chart`.
    static func helpCall(for arguments: [String]) -> String { called(by: arguments).call }

    private static func called(by arguments: [String]) -> (call: String, command: any ParsableCommand.Type) {
        var (call, called): (String, any ParsableCommand.Type) = (name, Self.self)
        for argument in arguments.dropFirst() {
            let commands = called.configuration.subcommands
            guard let command = commands.first(where: { $0.configuration.commandName == argument }) else { break }
            (call, called) = ("\(call) \(argument)", command)
        }
        return (call, called)
    }

    /// Names a command that doesn't exist, and the one that was probably meant: the parser takes it for a file, and
    /// `help` ignores it.
    static func unknownCommand(in arguments: [String]) -> String? {
        let words = arguments.dropFirst()
        let isHelp = words.first == "help"
        var (call, command): (String, any ParsableCommand.Type) = (name, Self.self)
        for word in words.dropFirst(isHelp ? 1 : 0) {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-"), isHelp || word != "help" else { return nil }
            if let next = commands.first(where: { $0._commandName == word }) {
                (call, command) = ("\(call) \(word)", next)
                continue
            }
            let names = commands.map { $0._commandName }
            let hint =
                NearestName.suggestion(for: word, among: names).map { "did you mean '\($0)'?" }
                ?? "there are \(names.joined(separator: ", "))"
            return "there is no command '\(call) \(word.prefix(64))'; \(hint)"
        }
        return nil
    }

    /// A complaint about options that the parser would accept, though nobody can mean them: one of two values would be
    /// ignored, and a server would run without what an empty one stands for.
    static func complaint(about arguments: [String]) -> String? {
        let names = arguments.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 != "=" } }
        // Most of the time nothing needs the list of options.
        guard Set(names).count < names.count || arguments.contains(where: { $0.isEmpty || $0.hasSuffix("=") }) else {
            return nil
        }
        let command = called(by: [name] + arguments).command
        let servers: [any ParsableCommand.Type] = [ServeCommand.self, RelayCommand.self, ReplayCommand.self]
        return OptionList(description: command._dumpHelp())
            .complaint(about: arguments, allowsEmpty: !servers.contains { $0 == command })
    }

    /// Names an option that the command doesn't have, and the one that was probably meant: the parser complains first
    /// of missing options, which are often only misspelt.
    static func unknownOption(in arguments: [String]) -> String? {
        let known = OptionList(description: called(by: arguments).command._dumpHelp()).names
        let given = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.dropFirst(2).prefix { $0 != "=" }) }
        guard let unknown = given.first(where: { !known.contains($0) }) else { return nil }
        let hint = NearestName.hint(for: "--\(unknown)", among: known.sorted().map { "--\($0)" })
        return "there is no option '--\(unknown)'\(hint)"
    }
}
