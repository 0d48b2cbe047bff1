/// The tables of a mirror.
///
/// An empty blob is stored as NULL, because GRDB does so; readers treat NULL as empty.
enum MirrorSchema {
    /// `MRQM`: marks the file as a mirror.
    static let applicationID: Int32 = 0x4D52_514D
    static let version: Int32 = 6
    /// The value that `PRAGMA synchronous` returns for FULL.
    static let synchronousFull = 2
    /// The write-ahead log is truncated to this size when it is restarted.
    static let journalBytes = 4 << 20

    /// One row about the client, `mirror`, with a second copy in `owner` of the values that must never be lost; then
    /// views, with their sections and items; then outbox, inbox, observations, rejections and recent incidents. Each
    /// `sum` is a `RowSum`, except a section's.
    ///
    /// Items have no position of their own: `section.item_order` lists their numbers, so that inserting an item at the
    /// front doesn't rewrite the others. The section with the empty name is the view's own list of sections.
    static let tables = """
        CREATE TABLE mirror (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            cluster TEXT,
            user TEXT,
            client_id BLOB NOT NULL,
            last_number INTEGER NOT NULL,
            last_answered INTEGER NOT NULL,
            seen BLOB,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE owner (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            cluster TEXT,
            user TEXT,
            client_id BLOB NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE view (
            id INTEGER PRIMARY KEY,
            screen TEXT NOT NULL,
            locale TEXT NOT NULL,
            parameters TEXT NOT NULL,
            cut BLOB NOT NULL,
            saved_at REAL NOT NULL,
            sum INTEGER NOT NULL,
            UNIQUE (screen, locale)
        ) STRICT;
        CREATE TABLE section (
            id INTEGER PRIMARY KEY,
            view INTEGER NOT NULL REFERENCES view ON DELETE CASCADE,
            name TEXT NOT NULL,
            head BLOB,
            item_order BLOB,
            sum INTEGER NOT NULL,
            UNIQUE (view, name)
        ) STRICT;
        CREATE TABLE item (
            number INTEGER PRIMARY KEY,
            section INTEGER NOT NULL REFERENCES section ON DELETE CASCADE,
            id TEXT NOT NULL,
            kind INTEGER NOT NULL,
            subject TEXT NOT NULL,
            body BLOB,
            body_hash INTEGER NOT NULL,
            UNIQUE (section, id)
        ) STRICT;
        CREATE INDEX item_subject ON item (subject) WHERE subject <> '';
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY,
            collection TEXT NOT NULL,
            subject TEXT NOT NULL,
            is_on INTEGER NOT NULL,
            value TEXT,
            state INTEGER NOT NULL,
            created_at REAL NOT NULL,
            cut BLOB,
            changed INTEGER,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX outbox_subject ON outbox (subject, collection);
        CREATE INDEX outbox_answered ON outbox (number) WHERE state = 2;
        CREATE TABLE inbox (
            id INTEGER PRIMARY KEY,
            collection TEXT NOT NULL,
            subject TEXT NOT NULL,
            is_on INTEGER NOT NULL,
            value TEXT,
            created_at REAL NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE observation (
            id INTEGER PRIMARY KEY,
            number INTEGER,
            screen TEXT NOT NULL,
            section TEXT NOT NULL,
            kind INTEGER NOT NULL,
            item TEXT NOT NULL,
            place INTEGER NOT NULL,
            at INTEGER NOT NULL,
            duration INTEGER NOT NULL,
            action TEXT NOT NULL,
            revision INTEGER NOT NULL,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX observation_number ON observation (number) WHERE number IS NOT NULL;
        CREATE TABLE rejection (
            number INTEGER NOT NULL,
            collection TEXT NOT NULL,
            subject TEXT NOT NULL,
            is_on INTEGER NOT NULL,
            value TEXT,
            reason TEXT NOT NULL,
            created_at REAL NOT NULL,
            sum INTEGER NOT NULL,
            code TEXT
        ) STRICT;
        CREATE TABLE incident (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            screen TEXT NOT NULL,
            message TEXT NOT NULL,
            at REAL NOT NULL
        ) STRICT;
        """
}
