import CMarqueeProto

@testable import MarqueeWire

/// A message that holds nothing but what it needs.
struct NeededFields {
    typealias Descriptor = UnsafePointer<ProtobufCMessageDescriptor>

    /// Such as `Join`, or `a binding`.
    let name: String
    /// The outer message.
    let descriptor: Descriptor
    /// The needed fields, as schema names with their records.
    let fields: [(name: String, record: RawMessage)]
    /// Puts the fields' records where they belong in the outer message.
    let place: (RawMessage) -> RawMessage

    init(
        _ name: String, _ descriptor: Descriptor, _ fields: [(String, RawMessage)],
        in place: @escaping (RawMessage) -> RawMessage = { $0 }
    ) {
        self.name = name
        self.descriptor = descriptor
        self.fields = fields.map { (name: $0.0, record: $0.1) }
        self.place = place
    }

    /// Names the message that lacks one of the fields.
    func without(_ index: Int) -> String { "\(name) without \(fields[index].name)" }

    /// The outer message, without one of the fields if an index is given.
    func message(without index: Int? = nil) -> RawMessage {
        let records = fields.indices.filter { $0 != index }.flatMap { fields[$0].record.bytes }
        return place(RawMessage(bytes: records))
    }
}

extension NeededFields {
    private static func number(_ field: UInt64) -> RawMessage { RawMessage().number(field, 1) }
    private static func fixed(_ field: UInt64) -> RawMessage { RawMessage().fixed(field, 1) }
    private static func text(_ field: UInt64) -> RawMessage { RawMessage().field(field, "a") }
    private static func empty(_ field: UInt64) -> RawMessage { RawMessage().field(field, "") }
    private static func bytes(_ field: UInt64) -> RawMessage { RawMessage().field(field, Array(0..<16)) }

    /// Puts a message into a field after other records.
    private static func inside(_ others: RawMessage, _ field: UInt64) -> (RawMessage) -> RawMessage {
        { others.field(field, $0) }
    }

    /// Of frames that any client sends or is sent.
    static var ofFrames: [(FrameKind, NeededFields)] {
        [
            (
                .hello,
                NeededFields(
                    "Hello", Proto.Hello.descriptor,
                    [("protocol_min", number(1)), ("protocol_max", number(2)), ("client_id", bytes(8))])
            ),
            (
                .welcome,
                NeededFields(
                    "Welcome", Proto.Welcome.descriptor,
                    [("protocol", number(1)), ("cluster", text(3)), ("limits", empty(6)), ("cut", empty(7))])
            ),
            (.progress, NeededFields("Progress", Proto.Progress.descriptor, [("cut", empty(1))])),
            (.ack, NeededFields("Ack", Proto.Ack.descriptor, [("bytes", number(1))])),
            (.goAway, NeededFields("GoAway", Proto.GoAway.descriptor, [("status", empty(1))])),
            (.close, NeededFields("Close", Proto.Close.descriptor, [("status", empty(1))])),
            (
                .subscribe,
                NeededFields(
                    "Subscribe", Proto.Subscribe.descriptor, [("subscription", number(1)), ("screen", text(3))])
            ),
            (
                .subscribe,
                NeededFields(
                    "a section's parameters", Proto.Subscribe.descriptor, [("section", text(1))],
                    in: inside(subscribe, 5))
            ),
            (
                .subscribe,
                NeededFields(
                    "Resume", Proto.Subscribe.descriptor, [("cut", empty(1)), ("view_sum", fixed(2))],
                    in: inside(subscribe, 6))
            ),
            (
                .subscribe,
                NeededFields(
                    "a held section", Proto.Subscribe.descriptor, [("section", text(1)), ("sum", fixed(2))],
                    in: { subscribe.field(6, empty(1).fixed(2, 1).field(3, $0)) })
            ),
            (.unsubscribe, NeededFields("Unsubscribe", Proto.Unsubscribe.descriptor, [("subscription", number(1))])),
            (
                .subscriptionError,
                NeededFields(
                    "SubscriptionError", Proto.SubscriptionError.descriptor,
                    [("subscription", number(1)), ("status", empty(3))])
            ),
            (.join, NeededFields("Join", Proto.Join.descriptor, join)),
            (
                .join,
                NeededFields(
                    "a binding", Proto.Join.descriptor, [("section", text(1)), ("handle", number(2))],
                    in: inside(RawMessage(bytes: join.flatMap(\.1.bytes)), 5))
            ),
            (.nack, NeededFields("Nack", Proto.Nack.descriptor, [("number", number(1)), ("status", empty(4))])),
            (
                .nack,
                NeededFields(
                    "a held version", Proto.Nack.descriptor, [("handle", number(1))],
                    in: inside(number(1).field(4, ""), 3))
            ),
            (
                .nack,
                NeededFields(
                    "a staged version", Proto.Nack.descriptor, [("handle", number(1))],
                    in: inside(number(1).field(4, ""), 5))
            ),
            (.repair, NeededFields("Repair", Proto.Repair.descriptor, [("number", number(1))])),
            (.rebase, NeededFields("Rebase", Proto.Rebase.descriptor, [("subscription", number(2))])),
            (
                .rebase,
                NeededFields(
                    "a section to describe", Proto.Rebase.descriptor, [("handle", number(2))], in: inside(number(2), 3))
            ),
            (
                .manifest,
                NeededFields(
                    "Manifest", Proto.Manifest.descriptor,
                    [("handle", number(1)), ("sum", fixed(2)), ("head_hash", fixed(3))])
            ),
            (
                .data,
                NeededFields(
                    "Part", Proto.Part.descriptor,
                    [("handle", number(1)), ("target_sum", fixed(3)), ("count", number(8))])
            ),
            (
                .stage,
                NeededFields(
                    "an item", Proto.Part.descriptor, [("id", text(1)), ("kind", number(2))],
                    in: inside(number(1).fixed(3, 1).number(8, 1), 5))
            ),
            (
                .request,
                NeededFields("Request", Proto.Request.descriptor, [("call", number(1)), ("method", number(2))])
            ),
            (.answer, NeededFields("Answer", Proto.Answer.descriptor, [("call", number(1))])),
            (.cancel, NeededFields("Cancel", Proto.Cancel.descriptor, [("call", number(1))])),
        ]
    }

    private static let subscribe = number(1).field(3, "a")
    private static let join: [(String, RawMessage)] = [
        ("subscription", number(1)), ("view_handle", number(3)), ("view_sum", fixed(4)), ("cut", empty(6)),
        ("screen", text(7)), ("locale", text(8)),
    ]

    /// Of frames that only relays send and are sent.
    static var ofRelayFrames: [(FrameKind, NeededFields)] {
        [
            (.dismiss, NeededFields("Dismiss", Proto.Dismiss.descriptor, [("guest", number(1))])),
            (
                .guestEnded,
                NeededFields("GuestEnded", Proto.GuestEnded.descriptor, [("guest", number(1)), ("status", empty(2))])
            ),
            (
                .userProgress,
                NeededFields(
                    "UserProgress", Proto.UserProgress.descriptor,
                    [("user", text(1)), ("cut", RawMessage().field(2, fixed(3).number(4, 1)))])
            ),
            (
                .userProgress,
                NeededFields(
                    "the cut of UserProgress", Proto.UserProgress.descriptor,
                    [("user_epoch", fixed(3)), ("user_revision", number(4))], in: inside(text(1), 2))
            ),
        ]
    }

    /// Of the bodies of requests and answers, with the function that decodes them.
    static var ofCalls: [(NeededFields, (_ body: [UInt8]) throws -> Void)] {
        [
            (
                NeededFields("GetScreenRequest", Proto.GetScreenRequest.descriptor, [("screen", text(1))]),
                { _ = try CallBodyCodec.decodeGetScreenRequest($0) }
            ),
            (
                NeededFields(
                    "a section's parameters", Proto.GetScreenRequest.descriptor, [("section", text(1))],
                    in: inside(text(1), 3)),
                { _ = try CallBodyCodec.decodeGetScreenRequest($0) }
            ),
            (
                NeededFields("GetScreenAnswer", Proto.GetScreenAnswer.descriptor, getScreenAnswer),
                { _ = try CallBodyCodec.decodeGetScreenAnswer($0) }
            ),
            (
                NeededFields(
                    "a section's content", Proto.GetScreenAnswer.descriptor, [("sum", fixed(4))],
                    in: inside(RawMessage(bytes: getScreenAnswer.flatMap(\.1.bytes)), 5)),
                { _ = try CallBodyCodec.decodeGetScreenAnswer($0) }
            ),
            (
                NeededFields(
                    "CollectionRequest", Proto.CollectionRequest.descriptor,
                    [("number", number(1)), ("subject", text(3)), ("member", number(4))]),
                { _ = try CallBodyCodec.decodeCollectionRequest($0) }
            ),
            (
                NeededFields("PublishRequest", Proto.PublishRequest.descriptor, [("number", number(1))]),
                { _ = try CallBodyCodec.decodePublishRequest($0) }
            ),
            (
                NeededFields("ReportRequest", Proto.ReportRequest.descriptor, reportRequest),
                { _ = try CallBodyCodec.decodeReportRequest($0) }
            ),
            (
                NeededFields(
                    "an observation", Proto.ReportRequest.descriptor, observation,
                    in: inside(RawMessage(bytes: reportRequest.dropLast().flatMap(\.1.bytes)), 5)),
                { _ = try CallBodyCodec.decodeReportRequest($0) }
            ),
            (
                NeededFields(
                    "a source's move", Proto.PublishRequest.descriptor, [("source", text(1))],
                    in: inside(number(1), 7)),
                { _ = try CallBodyCodec.decodePublishRequest($0) }
            ),
            (
                NeededFields(
                    "a source's state", Proto.SourceAnswer.descriptor, [("source", text(1))],
                    in: inside(RawMessage(), 1)),
                { _ = try CallBodyCodec.decodeSourceAnswer($0) }
            ),
            (
                NeededFields(
                    "a source's trouble", Proto.SourceAnswer.descriptor, [("reason", text(1))],
                    in: { RawMessage().field(1, text(1).field(6, $0)) }),
                { _ = try CallBodyCodec.decodeSourceAnswer($0) }
            ),
            (
                NeededFields("RecordSumsRequest", Proto.RecordSumsRequest.descriptor, [("type", text(1))]),
                { _ = try CallBodyCodec.decodeRecordSumsRequest($0) }
            ),
            (
                NeededFields("MutationAnswer", Proto.MutationAnswer.descriptor, [("number", number(1))]),
                { _ = try CallBodyCodec.decodeMutationAnswer($0) }
            ),
            (
                NeededFields("RenewRequest", Proto.RenewRequest.descriptor, [("token", text(1))]),
                { _ = try CallBodyCodec.decodeRenewRequest($0) }
            ),
            (
                NeededFields("HealthAnswer", Proto.HealthAnswer.descriptor, [("state", text(1))]),
                { _ = try CallBodyCodec.decodeHealthAnswer($0) }
            ),
            (
                NeededFields(
                    "a type's count", Proto.HealthAnswer.descriptor, [("type", text(1))], in: inside(text(1), 10)),
                { _ = try CallBodyCodec.decodeHealthAnswer($0) }
            ),
            (
                NeededFields(
                    "a screen's description", Proto.DescribeAnswer.descriptor, [("pattern", text(1))],
                    in: inside(RawMessage(), 1)),
                { _ = try CallBodyCodec.decodeDescribeAnswer($0) }
            ),
            (
                NeededFields(
                    "a section's description", Proto.DescribeAnswer.descriptor, [("id", text(1))],
                    in: { RawMessage().field(1, text(1).field(4, $0)) }),
                { _ = try CallBodyCodec.decodeDescribeAnswer($0) }
            ),
            (
                NeededFields(
                    "a sort's description", Proto.DescribeAnswer.descriptor, [("id", text(1))],
                    in: { RawMessage().field(1, text(1).field(4, text(1).field(3, $0))) }),
                { _ = try CallBodyCodec.decodeDescribeAnswer($0) }
            ),
            (
                NeededFields(
                    "IntroduceRequest", Proto.IntroduceRequest.descriptor,
                    [("guest", number(1)), ("client_id", bytes(4))]),
                { _ = try CallBodyCodec.decodeIntroduceRequest($0) }
            ),
            (
                NeededFields("IntroduceAnswer", Proto.IntroduceAnswer.descriptor, [("cut", empty(4))]),
                { _ = try CallBodyCodec.decodeIntroduceAnswer($0) }
            ),
            (
                NeededFields("PlanAnswer", Proto.PlanAnswer.descriptor, planAnswer),
                { _ = try CallBodyCodec.decodePlanAnswer($0) }
            ),
            (
                NeededFields(
                    "a planned section", Proto.PlanAnswer.descriptor, [("section", text(1)), ("handle", number(2))],
                    in: inside(RawMessage(bytes: planAnswer.flatMap(\.1.bytes)), 5)),
                { _ = try CallBodyCodec.decodePlanAnswer($0) }
            ),
        ]
    }

    private static let observation: [(String, RawMessage)] = [
        ("kind", number(1)), ("item", text(2)), ("place", number(3)), ("at_ms", number(4)),
    ]
    private static let reportRequest: [(String, RawMessage)] = [
        ("number", number(1)), ("screen", text(3)), ("section", text(4)),
        ("observations", RawMessage().field(5, RawMessage(bytes: observation.flatMap(\.1.bytes)))),
    ]
    private static let getScreenAnswer: [(String, RawMessage)] = [
        ("screen", text(1)), ("locale", text(2)), ("cut", empty(3)), ("view", RawMessage().field(4, fixed(4))),
    ]
    private static let planAnswer: [(String, RawMessage)] = [
        ("screen", text(1)), ("locale", text(2)), ("cut", empty(3)), ("view_handle", number(4)),
    ]
}
