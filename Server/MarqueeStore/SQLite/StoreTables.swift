/// The tables of both files of a data folder, except those of the search index.
enum StoreTables {
    static let meta = SummedTable("meta", key: ["name"], ["value"])

    static let movie = SummedTable(
        "movie", key: ["id"],
        [
            "title", "original_title", "original_language", "titles", "release_date", "runtime", "genres", "countries",
            "popularity", "revenue", "vote_average", "vote_count", "tagline", "overview", "certifications", "poster",
            "backdrop",
        ])
    static let person = SummedTable("person", key: ["id"], ["name", "popularity", "portrait"])
    static let credits = SummedTable("credits", key: ["movie"], ["cast_list", "crew_list"])
    static let genre = SummedTable("genre", key: ["id"], ["names"])
    static let chartDay = SummedTable("chart_day", key: ["chart", "date"], ["entries"])
    static let chartShown = SummedTable("chart_shown", key: ["chart"], ["date"])
    static let poolChoice = SummedTable("pool_choice", key: ["pool"], ["movie", "item", "record"])
    static let shelf = SummedTable("shelf", key: ["id"], [])
    static let shelfItem = SummedTable("shelf_item", key: ["shelf", "id"], ["place", "content"])
    static let page = SummedTable("page", key: ["id"], ["sections"])
    static let programme = SummedTable("programme", key: ["id"], ["text"])
    static let types = SummedTable("types", key: ["id"], ["declarations", "descriptors"])
    static let record = SummedTable("record", key: ["type", "id"], ["bytes"])
    static let list = SummedTable("list", key: ["name", "edition"], [])
    static let listEntry = SummedTable(
        "list_entry", key: ["list", "edition", "key"], ["number", "record", "place"])
    static let listShown = SummedTable("list_shown", key: ["list"], ["edition"])
    static let commitKey = SummedTable("commit_key", key: ["key"], ["revision"])
    static let commitLog = SummedTable("commit_log", key: ["revision"], ["made", "key", "bytes", "changes"])

    static let userLog = SummedTable("user_log", key: ["name"], ["revision", "members", "members_sum"])
    static let userCollection = SummedTable("user_collection", key: ["user", "collection"], ["members"])
    static let member = SummedTable("member", key: ["user", "collection", "subject"], ["value", "revision"])

    static let mutationClient = SummedTable("mutation_client", key: ["client"], ["last", "used"])
    static let mutationAnswer = SummedTable(
        "mutation_answer", key: ["client", "number"], ["fingerprint", "revision", "changed"])
}

extension StoreLog {
    /// The tables of this log's file that carry sums.
    var summedTables: [SummedTable] {
        switch self {
        case .catalogue:
            [
                StoreTables.meta, StoreTables.movie, StoreTables.person, StoreTables.credits, StoreTables.genre,
                StoreTables.chartDay, StoreTables.chartShown, StoreTables.poolChoice, StoreTables.shelf,
                StoreTables.shelfItem, StoreTables.page, StoreTables.programme, StoreTables.types, StoreTables.record,
                StoreTables.list, StoreTables.listEntry, StoreTables.listShown, StoreTables.commitKey,
                StoreTables.commitLog, StoreTables.mutationClient, StoreTables.mutationAnswer,
            ]
        case .users:
            [
                StoreTables.meta, StoreTables.userLog, StoreTables.userCollection, StoreTables.member,
                StoreTables.mutationClient, StoreTables.mutationAnswer,
            ]
        }
    }
}
