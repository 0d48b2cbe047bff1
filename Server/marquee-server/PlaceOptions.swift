import ArgumentParser
import MarqueeCatalogue
import MarqueeScreens
import MarqueeStore

/// The place of a store.
struct PlaceOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "The data folder; created by the first write. Only one server at a time can use it.", valueName: "dir"))
    var folder: String?

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            """
            A PostgreSQL database instead of a data folder, which any number of servers share. Its tables are created if \
            they are missing. Put the password into ~/.pgpass or PGPASSWORD: other users can see arguments.
            """, valueName: "postgres://…"),
        transform: { try PostgresURL(argument: $0) })
    var database: PostgresURL?

    func validate() throws {
        if folder == nil, database == nil { throw ValidationError("--data or --store is needed") }
        if folder != nil, database != nil { throw ValidationError("--data and --store exclude each other") }
        if folder?.isEmpty == true { throw ValidationError("--data is empty") }
    }

    var place: StorePlace { database.map { .database($0) } ?? .folder(folder ?? "") }
}

extension PostgresURL {
    /// - Throws: `ValidationError` for anything but the address of a database.
    /// - Parameter option: the option with the address, for messages.
    init(argument: String, of option: String = "--store: ") throws {
        do throws(StoreError) { try self.init(argument) } catch { throw ValidationError("\(option)\(error.message)") }
    }
}

/// A data folder, or a database.
enum StorePlace: Hashable {
    case folder(String)
    case database(PostgresURL)

    /// The name of the place in messages.
    var name: String {
        switch self {
        case .folder(let path): path
        case .database(let url): url.description
        }
    }

    /// Whether there is a catalogue already, as far as can be seen without opening it.
    var mayHoldCatalogue: Bool {
        switch self {
        case .folder(let path): SQLiteStore.exists(path)
        case .database: true
        }
    }

    /// - Throws: as the stores' initialisers do.
    func open(
        _ limits: StoreLimits = StoreLimits(), allowLostCommits: Bool = false
    ) throws(StoreError) -> any ServedStore {
        switch self {
        case .folder(let path):
            try SQLiteStore(folder: path, limits: limits, programmeCheck: ProgrammeValidator.check)
        case .database(let url):
            try PostgresStore(
                url: url, limits: limits, programmeCheck: ProgrammeValidator.check, allowLostCommits: allowLostCommits)
        }
    }
}

/// A store that `serve` can serve, and imports can write to.
protocol ServedStore: TransactionalStore {
    /// The types of records in force; `nil` if there are none.
    func types() throws(StoreError) -> TypesDocument?
    /// Removes stored editions of lists beyond the limit.
    /// - Returns: how many.
    func dropOldEditions() throws(StoreError) -> Int
    /// Whether it can be read and written now.
    /// - Throws: `lost` if it never will be again.
    func check() throws(StoreError)
    /// Tells other processes where it is served: `HOST:PORT`.
    func announce(address: String)
}

extension SQLiteStore: ServedStore {
    func check() throws(StoreError) { try checkFolder() }
}

extension PostgresStore: ServedStore {
    /// Does nothing: any number of servers may serve the database.
    func announce(address: String) {}
}
