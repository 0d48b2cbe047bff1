/// What tells one of Marquee's files from any other SQLite file, and how it is made.
struct StoreSchema: Sendable {
    /// SQLite's `application_id`.
    let applicationID: Int32
    /// SQLite's `user_version`.
    let version: Int32
    /// For messages.
    let content: String
    let tables: String
    /// Tables whose content follows from the others': a backup does without them.
    var derived = ""
    /// Those of `tables` that carry sums.
    var summed: [SummedTable] = []

    /// The catalogue, which can be rebuilt.
    static let catalogue = StoreSchema(
        applicationID: 0x4D51_4331, version: 3, content: "a Marquee catalogue",
        tables: """
            CREATE TABLE movie (
                id INTEGER PRIMARY KEY, title TEXT NOT NULL, original_title TEXT, original_language TEXT, titles TEXT,
                release_date TEXT, runtime INTEGER, genres TEXT, countries TEXT, popularity REAL, revenue INTEGER,
                vote_average REAL, vote_count INTEGER, tagline TEXT, overview TEXT, certifications TEXT, poster TEXT,
                backdrop TEXT, sum INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE person (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL, popularity REAL, portrait TEXT, sum INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE credits (
                movie INTEGER PRIMARY KEY, cast_list TEXT NOT NULL, crew_list TEXT NOT NULL, sum INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE genre (id INTEGER PRIMARY KEY, names TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
            CREATE TABLE chart_day (
                chart TEXT NOT NULL, date TEXT NOT NULL, entries TEXT NOT NULL, sum INTEGER NOT NULL,
                PRIMARY KEY (chart, date)
            ) STRICT;
            CREATE TABLE chart_shown (
                chart TEXT PRIMARY KEY, date TEXT NOT NULL, sum INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE pool_choice (
                pool TEXT PRIMARY KEY, movie INTEGER, item TEXT, sum INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE shelf (id TEXT PRIMARY KEY, sum INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            CREATE TABLE shelf_item (
                shelf TEXT NOT NULL, id TEXT NOT NULL, place INTEGER NOT NULL, content TEXT NOT NULL,
                sum INTEGER NOT NULL, PRIMARY KEY (shelf, id)
            ) STRICT;
            CREATE TABLE page (id TEXT PRIMARY KEY, sections TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
            CREATE TABLE programme (
                id INTEGER PRIMARY KEY CHECK (id = 1), text TEXT NOT NULL, sum INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE commit_key (
                key TEXT PRIMARY KEY, revision INTEGER NOT NULL, sum INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE commit_log (
                revision INTEGER PRIMARY KEY, made INTEGER NOT NULL, key TEXT, bytes INTEGER NOT NULL,
                changes TEXT NOT NULL, sum INTEGER NOT NULL
            ) STRICT;
            """ + commonTables, derived: TitleIndex.tables, summed: StoreLog.catalogue.summedTables)

    /// What people made: favorites, and the mutations behind them.
    ///
    /// A user's row counts their favorites and adds up the sums of their rows.
    static let users = StoreSchema(
        applicationID: 0x4D51_5531, version: 2, content: "Marquee's users",
        tables: """
            CREATE TABLE user_log (
                name TEXT PRIMARY KEY, revision INTEGER NOT NULL, favorites INTEGER NOT NULL,
                favorites_sum INTEGER NOT NULL, sum INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE favorite (
                user TEXT NOT NULL, subject TEXT NOT NULL, revision INTEGER NOT NULL, sum INTEGER NOT NULL,
                PRIMARY KEY (user, subject)
            ) STRICT, WITHOUT ROWID;
            """ + commonTables, summed: StoreLog.users.summedTables)

    // Times are seconds since 1970. `used` is when a client made its last mutation, in microseconds, made to rise with
    // each mutation of the file.
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
