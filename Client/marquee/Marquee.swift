import ArgumentParser
import Foundation
import MarqueeClient
import MarqueeModel

@main
struct Marquee: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marquee",
        abstract: "Live screens of a Marquee server, in a terminal.",
        discussion: """
            EXAMPLES
              marquee screens                           what can I look at?
              marquee get home                          a screen, once; the stored one when offline
              marquee subscribe home                    a screen, and what changes on it
              marquee subscribe home --sort rank=release-date --window genres=12
              marquee subscribe home --output ndjson --count 1 --timeout 5
              marquee favorite add movie/27205 --user ann
              marquee collection set progress episode/e1 120 --user ann
              marquee publish changes.ndjson
              marquee draft list                        what waits to be published
              marquee mirror verify
              marquee render home -o home.png           a screen as a picture
              marquee explain home rank                 why it is laid out that way
              marquee conform server 127.0.0.1:7420     does it speak the protocol as written?

            ENVIRONMENT
              MARQUEE_SERVER, MARQUEE_USER, MARQUEE_LOCALE, MARQUEE_MIRROR
                                  stand for --server, --user, --locale and --mirror
              MARQUEE_TOKEN       a token: it proves who you are; --token-file reads it from a file
              MARQUEE_TLS, MARQUEE_TLS_CA, MARQUEE_TLS_NAME, MARQUEE_TLS_PUBLIC_KEY, MARQUEE_TLS_CERT,
              MARQUEE_TLS_KEY, MARQUEE_ALLOW_UNENCRYPTED
                                  stand for --tls, --tls-ca and so on
              TRACEPARENT         the trace of which the command is part, for the server's log (W3C's Trace Context)
              XDG_STATE_HOME      where mirrors are kept (default: ~/.local/state)
              NO_COLOR            no colours
              COLORTERM           truecolor: pictures in 24-bit colour
              COLUMNS             the width of lines

            EXIT STATUS
              0    done; also when the output pipe was closed
              64   usage error                   74   reading or writing failed
              65   damaged or invalid data       75   timed out; try again later
              66   no such file                  76   the server refused
              69   no server can be reached      77   the server forbids it
              73   the mirror can't be used      130, 143   interrupted, terminated
            """,
        version: MarqueeClient.version,
        subcommands: [
            ScreensCommand.self, SubscribeCommand.self, GetCommand.self, SearchCommand.self, FavoriteCommand.self,
            CollectionCommand.self, PublishCommand.self, DraftCommand.self, MirrorCommand.self, HealthCommand.self,
            RenderCommand.self,
            ExplainCommand.self, ConformCommand.self,
        ])

    static func main() async {
        StandardStreams.prepare()
        do {
            let arguments = NegativeArguments.asValues(Array(CommandLine.arguments.dropFirst()))
            try RepeatedOption.check(arguments, of: CommandSuggestion.check(arguments, of: Marquee.self))
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    /// Says why in one line, and ends with the matching status.
    private static func end(with error: any Error) -> Never {
        switch error {
        case is OutputClosed: Foundation.exit(ProgramExit.ok.rawValue)
        case let failure as Failure: say(failure)
        case let error as ClientError: say(Failure(error))
        // Help, version, completions and wrong arguments: the parser knows what to write and how to end.
        default: exit(withError: error)
        }
    }

    private static func say(_ failure: Failure) -> Never {
        if !failure.message.isEmpty { Notes.complain(failure.message) }
        Foundation.exit(failure.status.rawValue)
    }
}
