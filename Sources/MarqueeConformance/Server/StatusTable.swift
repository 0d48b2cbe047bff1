import MarqueeModel

/// The reasons of chapter 21 with their codes and remedies.
enum StatusTable {
    private struct Row {
        var codes: Set<UInt32>
        var remedies: Set<UInt32>
    }

    /// Codes, remedies, reasons.
    private static let table: [([UInt32], [UInt32], String)] = [
        ([15], [1], "FRAME_DAMAGED"), ([3], [1], "FRAME_TOO_SHORT"), ([8], [1], "FRAME_TOO_LONG"),
        ([3], [5], "TRUNCATED MALFORMED WRONG_WIRE_TYPE REPEATED_SUBMESSAGE INVALID_UTF8 NUL_IN_TEXT MISSING_FIELD"),
        ([8], [5], "TOO_DEEP TOO_MANY_ELEMENTS TOO_MANY_RECORDS TOO_MANY_UNKNOWN_FIELDS ARENA_EXHAUSTED"),
        ([11], [5], "OUT_OF_RANGE"), ([12], [5], "UNKNOWN_CRITICAL_KIND"),
        ([9], [5], "HELLO_EXPECTED HELLO_REPEATED WRONG_DIRECTION"), ([4], [1], "HELLO_TIMEOUT"),
        ([9], [5], "PROTOCOL_UNSUPPORTED LIMITS_TOO_LOW OTHER_CLUSTER"), ([16], [5], "USER_INVALID USERS_NOT_ADMITTED"),
        ([16], [4], "TOKEN_NEEDED TOKEN_REFUSED TOKEN_ENDED CERTIFICATE_REFUSED"), ([16], [5], "TOKEN_OF_ANOTHER"),
        ([16], [1], "CERTIFICATE_ENDED"),
        ([14], [2], "NODE_BEHIND KEYS_UNAVAILABLE UPSTREAM_AWAY HANDLE_TAKEN"),
        ([3], [5], "SUBSCRIPTION_REUSED SUBSCRIPTION_UNKNOWN GENERATION_INVALID"), ([9], [1], "CUT_ORDER"),
        ([8], [1], "CUT_TOO_LARGE"), ([15], [3], "CUT_REFUSED"), ([3], [5], "NACK_INVALID ACK_INVALID CALL_REUSED"),
        ([9], [5], "MANIFEST_UNEXPECTED"), ([3, 11], [5], "MANIFEST_INVALID"),
        ([4], [1], "SILENT DATA_NOT_TAKEN FRAME_UNFINISHED"),
        ([8], [1], "TOO_MANY_PINGS ROOM_NEEDED TOO_MANY_CONNECTIONS"),
        ([14], [1], "STORE_UNAVAILABLE DRAINING SESSION_ENDED VIEW_UNSETTLED EPOCH_CHANGED"),
        ([5], [5], "UNKNOWN_SCREEN UNKNOWN_RECORD SUBSCRIPTION_ENDED"),
        ([3], [5], "UNKNOWN_SECTION REPEATED_SECTION UNKNOWN_SORT UNKNOWN_WINDOW UNKNOWN_ANCHOR READER_INVALID"),
        ([6], [5], "ALREADY_SUBSCRIBED KEY_REUSED"),
        ([8], [5], "TOO_MANY_SUBSCRIPTIONS"), ([8], [1], "TOO_MANY_VARIANTS"), ([16], [4], "USER_REQUIRED"),
        ([13], [1, 5], "ITEM_TOO_LARGE"), ([8], [5], "SECTION_TOO_LARGE"),
        ([9], [5], "RELAY_EXPECTED RELAY_TOO_OLD NOT_ASKED"),
        ([5], [2], "GUEST_UNKNOWN VARIANT_UNKNOWN"), ([8], [2], "TOO_MANY_GUESTS"),
        ([15], [1, 3], "SECTION_REFUSED"), ([3], [3], "UNKNOWN_VARIANT"),
        ([12], [5], "METHOD_UNKNOWN"), ([3], [5], "BODY_INVALID QUERY_TOO_LONG BAD_PAGE"),
        ([8], [1], "TOO_MANY_CALLS TOO_MANY_WRITES TOO_MANY_ANSWERS TOO_MANY_PUBLICATIONS TOO_MANY_CLIENTS"),
        ([8], [5], "ANSWER_TOO_LARGE"),
        ([1], [5], "CANCELLED"), ([4], [1], "DEADLINE_EXCEEDED"),
        (
            [3], [5],
            "NUMBER_INVALID SUBJECT_INVALID COLLECTION_UNKNOWN VALUE_INVALID REFUSED CHANGE_INVALID GUEST_REUSED"
        ),
        ([10], [3], "CLIENT_CLONED"), ([10], [5], "SOURCE_ELSEWHERE"), ([3], [5], "SOURCE_INVALID"),
        ([9], [3], "MUTATION_FORGOTTEN"), ([3], [5], "PART_OUT_OF_ORDER PART_EMPTY"),
        ([8], [5], "PUBLICATION_TOO_LARGE"), ([7], [5], "PUBLISH_DENIED SCOPE_TOO_SMALL"), ([8], [1], "DISK_FULL"),
    ]

    private static let rows: [String: Row] = Dictionary(
        table.flatMap { codes, remedies, reasons in
            reasons.split(separator: " ").map { (String($0), Row(codes: Set(codes), remedies: Set(remedies))) }
        }
    ) { first, _ in first }

    /// Reasons without a row, such as those of a later version, are judged by their form alone.
    static func judge(_ status: Status) throws(Deviation) {
        let isWellFormed =
            !status.reason.isEmpty
            && status.reason.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 95 }
        guard isWellFormed else {
            throw Deviation(expected: "a reason in UPPER_SNAKE (21)", actual: "'\(status.reason)'")
        }
        guard let row = rows[status.reason] else { return }
        guard row.codes.contains(status.code.rawValue), row.remedies.contains(status.remedy.rawValue) else {
            throw Deviation(
                expected: "\(status.reason) with code \(words(row.codes)) and remedy \(words(row.remedies)) (21)",
                actual: "code \(status.code.rawValue), remedy \(status.remedy.rawValue)")
        }
    }

    private static func words(_ numbers: Set<UInt32>) -> String {
        numbers.sorted().map(String.init).joined(separator: " or ")
    }
}
