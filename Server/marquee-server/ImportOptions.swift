import ArgumentParser
import MarqueeImport
import MarqueeStore

/// Options that all imports share.
struct ImportOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp("The data folder to write to; created if it is missing.", valueName: "dir"))
    var folder: String?

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            "The PostgreSQL database to write to, instead of a folder. Servers that have it show the import at once.",
            valueName: "postgres://…"),
        transform: { try PostgresURL(argument: $0) })
    var database: PostgresURL?

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The running server to publish to, instead of writing to a folder. It has to accept publications.",
            valueName: "host:port"),
        transform: { try ListenAddress(parsing: $0) })
    var server: ListenAddress?

    @OptionGroup var publishing: PublishingOptions

    @Option(
        help: ArgumentHelp(
            """
            With --to: the server's data folder, or a restored copy of it, to see what the catalogue contains. It is \
            only read.
            """, valueName: "dir"))
    var catalogue: String?

    @Flag(help: "Import all rows or none: the same as --max-bad 0.")
    var strict = false

    @Option(
        name: .customLong("max-bad"),
        help: ArgumentHelp(
            """
            How many rows may be unusable: a number, or a share such as 5%. With more, nothing is imported. (default: \
            50% for data sets and charts; none for pages, changes and records)
            """, valueName: "n|p%"),
        transform: { text in
            guard let tolerance = ImportTolerance(text) else {
                throw ValidationError("--max-bad is a number of rows such as 20, or a share of all such as 5%")
            }
            return tolerance
        })
    var maxBad: ImportTolerance?

    @Flag(name: .customLong("dry-run"), help: "Say what would be imported, and change nothing.")
    var isDryRun = false

    @Option(
        help: ArgumentHelp(
            """
            The encoding of the files' text: utf-8, euc-kr, cp949, utf-16le, latin1 or another that 'iconv -l' lists. \
            (default: what a byte order mark says, else utf-8)
            """, valueName: "name"),
        transform: { text in
            guard let encoding = TextEncoding(text) else {
                throw ValidationError(
                    "'\(text)' is not a known encoding; some are utf-8, euc-kr, cp949, utf-16le, latin1")
            }
            return encoding
        })
    var encoding: TextEncoding?

    func validate() throws {
        if let folder {
            guard !folder.isEmpty else { throw ValidationError("--data is empty") }
            if database != nil { throw ValidationError("--data and --store exclude each other") }
        }
        if place != nil {
            if server != nil {
                throw ValidationError("--\(folder == nil ? "store" : "data") and --to exclude each other")
            }
            if catalogue != nil { throw ValidationError("--catalogue goes with --to") }
        } else {
            guard let server else { throw ValidationError("say where to import to, with --data, --store or --to") }
            guard server.port > 0 else { throw ValidationError("--to needs the port of a server, not 0") }
            if catalogue?.isEmpty == true { throw ValidationError("--catalogue is empty") }
        }
        try publishing.check(hasServer: server != nil)
        if strict, maxBad != nil { throw ValidationError("--strict and --max-bad exclude each other") }
    }

    /// The store to write to; `nil` for a server.
    var place: StorePlace? { database.map { .database($0) } ?? folder.map { .folder($0) } }

    /// Checks that an import that reads the catalogue has one.
    func checkCatalogue(needed purpose: String) throws {
        guard server != nil, catalogue == nil else { return }
        throw ValidationError(
            "--to needs --catalogue here, the server's data folder or a restored copy of it: \(purpose)")
    }

    /// - Parameter standard: used if the user says nothing.
    func tolerance(_ standard: ImportTolerance) -> ImportTolerance { strict ? .none : maxBad ?? standard }
}
