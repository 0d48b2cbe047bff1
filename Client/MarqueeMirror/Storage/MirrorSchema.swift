/// The tables of a mirror.
///
/// A blob of no bytes is stored as NULL, which is what GRDB makes of it; readers take NULL for empty.
enum MirrorSchema {
    /// `MRQM`: marks the file as a mirror.
    static let applicationID: Int32 = 0x4D52_514D
    static let version: Int32 = 2
    /// What `PRAGMA synchronous` answers for FULL.
    static let synchronousFull = 2
    /// The write-ahead log is cut back to this when it is written anew.
    static let journalBytes = 4 << 20

    /// One row, `mirror`, for the client, and what of it must never be lost once more in `owner`; then views, their
    /// sections, their items; then what waits to be sent, what was refused, and what went wrong lately. `sum` is a
    /// `RowSum`, but for that of a section.
    ///
    /// The items of a section have no order of their own: `section.item_order` lists their numbers, so that an item
    /// at the front does not rewrite the others. The section of the empty name is the view's own list of sections.
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
            subject TEXT NOT NULL,
            is_on INTEGER NOT NULL,
            state INTEGER NOT NULL,
            created_at REAL NOT NULL,
            cut BLOB,
            changed INTEGER,
            sum INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX outbox_subject ON outbox (subject);
        CREATE INDEX outbox_answered ON outbox (number) WHERE state = 2;
        CREATE TABLE rejection (
            number INTEGER NOT NULL,
            subject TEXT NOT NULL,
            is_on INTEGER NOT NULL,
            reason TEXT NOT NULL,
            created_at REAL NOT NULL,
            sum INTEGER NOT NULL
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
