/// The tables of both files of a data folder, except those of the search index, of observations and of drafts.
enum StoreTables {
    static let meta = SummedTable("meta", key: ["name"], ["value"])

    static let poolChoice = SummedTable("pool_choice", key: ["pool"], ["entry", "record"])
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
                StoreTables.meta, StoreTables.poolChoice, StoreTables.page, StoreTables.programme, StoreTables.types,
                StoreTables.record, StoreTables.list, StoreTables.listEntry, StoreTables.listShown,
                StoreTables.commitKey, StoreTables.commitLog, StoreTables.mutationClient, StoreTables.mutationAnswer,
            ]
        case .users:
            [
                StoreTables.meta, StoreTables.userLog, StoreTables.userCollection, StoreTables.member,
                StoreTables.mutationClient, StoreTables.mutationAnswer,
            ]
        }
    }
}
