import ArgumentParser
import MarqueeStore

/// `marquee-server seen`
struct SeenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seen",
        abstract: "Print or delete reported impressions and taps, even while they are served.",
        discussion: """
            Clients report what the programme asks for with 'impressions' and 'taps'. It is kept until it is forgotten here, \
            up to --seen-bytes of 'serve'; then clients keep theirs. This prints it as NDJSON, in order of \
            arrival. Each line has a position, and positions rise. Store the lines, then forget those up to the last one:

              marquee-server seen --data data > seen.ndjson
              marquee-server seen --data data --after 1764410000000017 --follow
              marquee-server seen --data data --forget 1764410000000017

            In a database it is the table 'observation'.
            """)

    @Option(help: ArgumentHelp("Begin after this position.", valueName: "position"))
    var after: UInt64 = 0

    @Flag(help: "Go on with new lines as they come, until the command is stopped.")
    var follow = false

    @Option(help: ArgumentHelp("Print nothing, and forget all up to this position.", valueName: "position"))
    var forget: UInt64?

    @OptionGroup var store: PlaceOptions

    private static let pause = Duration.seconds(1)
    private static let linesAtOnce = 1_000

    func validate() throws {
        if forget != nil, follow || after > 0 {
            throw ValidationError("--forget excludes --after and --follow")
        }
    }

    func run() async throws {
        do throws(StoreError) {
            let log: any ObservationLog =
                switch store.place {
                case .folder(let folder): FolderObservations(folder)
                case .database(let url): try PostgresStore(url: url)
                }
            if let forget {
                let count = try log.forgetObservations(through: forget)
                return Console.say("\(counted(count, "line")) forgotten")
            }
            var position = after
            while true {
                let rows = try log.observations(after: position, limit: Self.linesAtOnce)
                if !rows.isEmpty { Console.write(rows.map { "\($0.json)\n" }.joined()) }
                // Don't move past lines that couldn't be written.
                if Console.hasFailed { return }
                position = rows.last?.position ?? position
                if rows.count == Self.linesAtOnce { continue }
                guard follow, (try? await Task.sleep(for: Self.pause)) != nil else { return }
            }
        } catch {
            throw CommandFailure(error, at: store.place)
        }
    }
}
