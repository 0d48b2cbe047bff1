/// The tables of a database, in numbered steps. A step that was released is never changed; a change is a further step.
///
/// Text that names something is compared by its bytes, as in SQLite. Rows carry no sums: the server has checksums of
/// its own pages.
enum PostgresSchema {
    /// The version of the tables that this version of Marquee reads and writes.
    static var version: Int { steps.count }

    static let steps = [first, chains, observations, drafts]

    /// Names in `marquee_meta`.
    enum Meta {
        static let version = "version"
        static let cluster = "cluster"
        static let catalogueEpoch = "catalogue epoch"
        static let usersEpoch = "users epoch"
        /// The version of the rules by which the search index was made.
        static let search = "search"
        /// The catalogue's time.
        static let time = "time"
    }

    // A list without editions has the edition ''; `number` orders a list's entries, see `PlaceNumber`.
    // `mutation_client` has one row for both logs, so that locking it keeps a client's mutations apart in both.
    // `user_move` tells other nodes about changes; each leaves out its own. A NULL value means that the member was
    // removed.
    // A row of `commit_mark` that is claimed stands for a commit that has not taken effect and never will.
    // Times in `made` of commit_log are seconds since 1970; `…_used` are microseconds, adjusted to rise.
    private static let first = """
        CREATE TABLE marquee_meta (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);

        CREATE TABLE catalogue_head (
            id int8 PRIMARY KEY CHECK (id = 1), revision int8 NOT NULL, log_bytes int8 NOT NULL,
            commit_keys int8 NOT NULL, types_version int8 NOT NULL
        );
        INSERT INTO catalogue_head VALUES (1, 0, 0, 0, 0);
        CREATE TABLE pool_choice (pool text COLLATE "C" PRIMARY KEY, entry text, record text);
        CREATE TABLE page (id text COLLATE "C" PRIMARY KEY, sections text NOT NULL);
        CREATE TABLE programme (id int8 PRIMARY KEY CHECK (id = 1), text text NOT NULL);
        CREATE TABLE types (
            id int8 PRIMARY KEY CHECK (id = 1), declarations text NOT NULL, descriptors bytea NOT NULL
        );
        CREATE TABLE record (
            type text COLLATE "C", id text COLLATE "C", bytes bytea NOT NULL, PRIMARY KEY (type, id)
        );
        CREATE TABLE list (name text COLLATE "C", edition text COLLATE "C", PRIMARY KEY (name, edition));
        CREATE TABLE list_entry (
            list text COLLATE "C", edition text COLLATE "C", key text COLLATE "C", number int8 NOT NULL, record text,
            place bytea, PRIMARY KEY (list, edition, key)
        );
        CREATE INDEX list_entry_number ON list_entry (list, edition, number);
        CREATE TABLE list_shown (list text COLLATE "C" PRIMARY KEY, edition text NOT NULL);
        CREATE TABLE commit_key (key text COLLATE "C" PRIMARY KEY, revision int8 NOT NULL);
        CREATE TABLE commit_log (
            revision int8 PRIMARY KEY, made int8 NOT NULL, key text, bytes int8 NOT NULL, changes text NOT NULL
        );

        CREATE TABLE user_log (name text COLLATE "C" PRIMARY KEY, revision int8 NOT NULL) WITH (fillfactor = 80);
        CREATE TABLE user_collection (
            user_name text COLLATE "C", collection text COLLATE "C", members int8 NOT NULL,
            PRIMARY KEY (user_name, collection)
        ) WITH (fillfactor = 80);
        CREATE INDEX user_collection_name ON user_collection (collection);
        CREATE TABLE member (
            user_name text COLLATE "C", collection text COLLATE "C", subject text COLLATE "C", value bytea NOT NULL,
            revision int8 NOT NULL, PRIMARY KEY (user_name, collection, subject)
        );
        CREATE TABLE user_move (
            seq bigserial PRIMARY KEY, xid xid8 NOT NULL DEFAULT pg_current_xact_id(), node int8 NOT NULL,
            user_name text NOT NULL, collection text NOT NULL, subject text NOT NULL, value bytea,
            revision int8 NOT NULL, made timestamptz NOT NULL DEFAULT now()
        );
        CREATE INDEX user_move_xid ON user_move (xid);
        CREATE INDEX user_move_made ON user_move (made);

        CREATE TABLE mutation_client (
            client bytea PRIMARY KEY, users_last int8, users_used int8, catalogue_last int8, catalogue_used int8
        ) WITH (fillfactor = 80);
        CREATE INDEX mutation_client_users ON mutation_client (users_used);
        CREATE INDEX mutation_client_catalogue ON mutation_client (catalogue_used);
        CREATE TABLE mutation_answer (
            client bytea, log int8, number int8, fingerprint int8 NOT NULL, revision int8 NOT NULL,
            changed bool NOT NULL, PRIMARY KEY (client, log, number)
        );
        CREATE TABLE commit_mark (
            mark bytea PRIMARY KEY, is_claimed bool NOT NULL DEFAULT false, made timestamptz NOT NULL DEFAULT now()
        );
        CREATE INDEX commit_mark_made ON commit_mark (made);

        CREATE TABLE search_type (alias text COLLATE "C" PRIMARY KEY, fields text NOT NULL);
        CREATE TABLE search_document (
            type text COLLATE "C", id text COLLATE "C", rank float8, text bytea NOT NULL, grams int8[] NOT NULL,
            PRIMARY KEY (type, id)
        );
        CREATE INDEX search_document_rank ON search_document (type, rank DESC NULLS LAST, id);
        CREATE INDEX search_document_grams ON search_document USING gin (grams);
        """

    // `chain` identifies a commit and all before it, see `CommitChain`. `commit_chain` keeps the chains of the
    // catalogue longer than the log keeps commits. A commit made by a version without chains shares the chain of the
    // one before. `client_ahead` has clients that have seen more than the database has, see `PostgresAhead`.
    private static let chains = """
        ALTER TABLE catalogue_head ADD COLUMN chain int8 NOT NULL DEFAULT 0;
        UPDATE catalogue_head SET chain = hashtextextended(gen_random_uuid()::text, 0);
        CREATE TABLE commit_chain (revision int8 PRIMARY KEY, chain int8 NOT NULL);
        INSERT INTO commit_chain SELECT revision, chain FROM catalogue_head;
        ALTER TABLE user_log ADD COLUMN chain int8 NOT NULL DEFAULT 0;
        ALTER TABLE user_move ADD COLUMN chain int8;
        CREATE INDEX user_move_user ON user_move (user_name COLLATE "C", revision);
        CREATE TABLE client_ahead (
            client bytea PRIMARY KEY, revision int8 NOT NULL, user_name text COLLATE "C" NOT NULL,
            user_revision int8 NOT NULL
        );
        """

    // Observations wait until the operator has collected them; Docs/users-data.md describes the columns. All servers
    // append, with the head's row locked. A new log begins at the current time, in microseconds, above any earlier one.
    private static let observations = """
        CREATE TABLE observation (
            position int8 PRIMARY KEY, kind text NOT NULL, screen text NOT NULL, section text NOT NULL,
            item text NOT NULL, place int8 NOT NULL, at int8 NOT NULL, duration int8 NOT NULL, action text NOT NULL,
            shown int8 NOT NULL, revision int8 NOT NULL, audiences text NOT NULL, user_name text, bytes int8 NOT NULL
        );
        CREATE TABLE observation_head (
            id int8 PRIMARY KEY CHECK (id = 1), position int8 NOT NULL, bytes int8 NOT NULL
        );
        INSERT INTO observation_head VALUES (1, (extract(epoch FROM clock_timestamp()) * 1000000)::int8, 0);
        """

    // `due` is in milliseconds since 1970. A draft is changed only while the catalogue's head is locked.
    private static let drafts = """
        CREATE TABLE draft (
            name text COLLATE "C" PRIMARY KEY, version int8 NOT NULL, due int8, despite_conflicts bool NOT NULL,
            problem text, publications int8 NOT NULL, changes int8 NOT NULL, bytes int8 NOT NULL, content text NOT NULL
        );
        """
}

/// The names of a log's columns in `mutation_client`, and its number in `mutation_answer`.
extension StoreLog {
    var columnPrefix: String {
        switch self {
        case .users: "users"
        case .catalogue: "catalogue"
        }
    }

    var number: Int64 {
        switch self {
        case .users: 0
        case .catalogue: 1
        }
    }
}
