/// The marks that distinguish one of Marquee's files from any other SQLite file, and the tables to create it with.
struct StoreSchema: Sendable {
    /// SQLite's `application_id`.
    let applicationID: Int32
    /// SQLite's `user_version`.
    let version: Int32
    /// The name of such a file in messages.
    let content: String
    let tables: String
    /// Advice about a file of another version.
    let remedy: String
    /// Tables with content that is derived from the others'; a backup leaves them out.
    var derived = ""
    /// Statements that create the tables of queues and drafts, if they are missing; a backup leaves them out.
    var queues = ""
    /// The tables among `tables` that carry sums.
    var summed: [SummedTable] = []

    /// The catalogue, which can be rebuilt.
    ///
    /// A list without editions has the edition ''; `number` orders a list's entries, see `PlaceNumber`.
    static let catalogue = StoreSchema(
        applicationID: 0x4D51_4331, version: 6, content: "a Marquee catalogue",
        tables: """
            CREATE TABLE pool_choice (
                pool TEXT PRIMARY KEY, entry TEXT, record TEXT, sum INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE page (id TEXT PRIMARY KEY, sections TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
            CREATE TABLE programme (
                id INTEGER PRIMARY KEY CHECK (id = 1), text TEXT NOT NULL, sum INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE types (
                id INTEGER PRIMARY KEY CHECK (id = 1), declarations TEXT NOT NULL, descriptors BLOB NOT NULL,
                sum INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE record (
                type TEXT NOT NULL, id TEXT NOT NULL, bytes BLOB NOT NULL, sum INTEGER NOT NULL,
                PRIMARY KEY (type, id)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE list (
                name TEXT NOT NULL, edition TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (name, edition)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE list_entry (
                list TEXT NOT NULL, edition TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL, record TEXT,
                place BLOB, sum INTEGER NOT NULL, PRIMARY KEY (list, edition, key)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX list_entry_number ON list_entry (list, edition, number);
            CREATE TABLE list_shown (
                list TEXT PRIMARY KEY, edition TEXT NOT NULL, sum INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE commit_key (
                key TEXT PRIMARY KEY, revision INTEGER NOT NULL, sum INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE commit_log (
                revision INTEGER PRIMARY KEY, made INTEGER NOT NULL, key TEXT, bytes INTEGER NOT NULL,
                changes TEXT NOT NULL, sum INTEGER NOT NULL
            ) STRICT;
            """ + commonTables,
        remedy: "move it away and import again; what people have in their collections is in another file and stays",
        derived: SearchIndex.tables, queues: DraftTables.statements, summed: StoreLog.catalogue.summedTables)

    /// Data that users created: the members of their collections, and the mutations behind them.
    ///
    /// A user's row counts the members of all their collections and adds up the sums of these rows. Each collection's
    /// members are counted too, so that checking its bound doesn't read them.
    static let users = StoreSchema(
        applicationID: 0x4D51_5531, version: 3, content: "Marquee's users",
        tables: """
            CREATE TABLE user_log (
                name TEXT PRIMARY KEY, revision INTEGER NOT NULL, members INTEGER NOT NULL,
                members_sum INTEGER NOT NULL, sum INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE user_collection (
                user TEXT NOT NULL, collection TEXT NOT NULL, members INTEGER NOT NULL, sum INTEGER NOT NULL,
                PRIMARY KEY (user, collection)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX user_collection_name ON user_collection (collection);
            CREATE TABLE member (
                user TEXT NOT NULL, collection TEXT NOT NULL, subject TEXT NOT NULL, value BLOB,
                revision INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (user, collection, subject)
            ) STRICT, WITHOUT ROWID;
            """ + commonTables, remedy: "import into a new data folder", queues: ObservationTables.statements,
        summed: StoreLog.users.summedTables)

    // Times are seconds since 1970. `used` is the time of a client's last mutation, in microseconds, adjusted to rise
    // with each mutation of the file.
    private static let commonTables = """

        CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE mutation_client (
            client BLOB PRIMARY KEY, last INTEGER NOT NULL, used INTEGER NOT NULL, sum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mutation_client_used ON mutation_client (used);
        CREATE TABLE mutation_answer (
            client BLOB NOT NULL, number INTEGER NOT NULL, fingerprint INTEGER NOT NULL, revision INTEGER NOT NULL,
            changed INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (client, number)
        ) STRICT, WITHOUT ROWID;

        """ + SummedTable.totals

    /// Names in `meta`.
    enum Meta {
        static let epoch = "epoch"
        static let cluster = "cluster"
        /// Whether the file has a write-ahead log beside it.
        static let use = "use"
        /// The catalogue's time.
        static let time = "time"
    }
}

/// The two files of a data folder.
extension StoreLog {
    var fileName: String {
        switch self {
        case .catalogue: "catalogue.sqlite"
        case .users: "users.sqlite"
        }
    }

    var schema: StoreSchema {
        switch self {
        case .catalogue: .catalogue
        case .users: .users
        }
    }

    func path(in folder: String) -> String { "\(folder)/\(fileName)" }
}
