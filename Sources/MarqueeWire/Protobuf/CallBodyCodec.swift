internal import CMarqueeProto

/// Encodes and decodes the bodies of requests and answers. Decoding is guarded like that of frames: requests by the
/// server's limits, answers by the client's, unless others are given. A health request has an empty body. Stateless;
/// equal values give equal bytes.
package enum CallBodyCodec {
    package static func encode(_ body: GetScreenRequest) -> [UInt8] { pack(body) }
    package static func encode(_ body: GetScreenAnswer) -> [UInt8] { pack(body) }
    package static func encode(_ body: SearchRequest) -> [UInt8] { pack(body) }
    package static func encode(_ body: SearchAnswer) -> [UInt8] { pack(body) }
    package static func encode(_ body: CollectionRequest) -> [UInt8] { pack(body) }
    package static func encode(_ body: PublishRequest) -> [UInt8] { pack(body) }
    package static func encode(_ body: ReportRequest) -> [UInt8] { pack(body) }
    package static func encode(_ body: SourceRequest) -> [UInt8] { pack(body) }
    package static func encode(_ body: SourceAnswer) -> [UInt8] { pack(body) }
    package static func encode(_ body: RecordSumsRequest) -> [UInt8] { pack(body) }
    package static func encode(_ body: RecordSumsAnswer) -> [UInt8] { pack(body) }
    package static func encode(_ body: DraftsRequest) -> [UInt8] { pack(body) }
    package static func encode(_ body: DraftsAnswer) -> [UInt8] { pack(body) }
    package static func encode(_ body: MutationAnswer) -> [UInt8] { pack(body) }
    package static func encode(_ body: HealthAnswer) -> [UInt8] { pack(body) }
    package static func encode(_ body: DescribeAnswer) -> [UInt8] { pack(body) }
    package static func encode(_ body: IntroduceRequest) -> [UInt8] { pack(body) }
    package static func encode(_ body: IntroduceAnswer) -> [UInt8] { pack(body) }
    package static func encode(_ body: PlanAnswer) -> [UInt8] { pack(body) }

    /// The offset in an encoded answer with a screen at which its content begins, after name, locale and position.
    /// - Returns: `nil` if the fields don't come in this order, as `encode` has them.
    package static func contentOffset(ofGetScreenAnswer bytes: [UInt8]) -> Int? {
        var offset = 0
        // The fields 1 to 3, each a length and that many bytes.
        for tag: UInt8 in [0x0A, 0x12, 0x1A] {
            guard offset < bytes.count, bytes[offset] == tag else { return nil }
            var (length, shift) = (0, 0)
            repeat {
                offset += 1
                guard offset < bytes.count, shift < 28 else { return nil }
                length |= Int(bytes[offset] & 0x7F) << shift
                shift += 7
            } while bytes[offset] >= 0x80
            offset += 1
            guard length <= bytes.count - offset else { return nil }
            offset += length
        }
        return offset
    }

    /// - Parameter locale: the preferred locale for titles; `nil` lets the server choose.
    package static func encodeDescribeRequest(locale: String?) -> [UInt8] {
        Packer.pack(Proto.DescribeRequest.self) { $0.locale = $1.text(locale) }
    }

    /// - Returns: the preferred locale for titles.
    package static func decodeDescribeRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> String? {
        try Unpacker.decode(
            Proto.DescribeRequest.self, bytes, guardedBy: GuardLimits(limits), limits: limits
        ) { $1.text($0.locale) }
    }

    package static func encodeRenewRequest(token: String) -> [UInt8] {
        Packer.pack(Proto.RenewRequest.self) { $0.token = $1.text(token) }
    }

    /// - Returns: the token.
    package static func decodeRenewRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> String {
        try Unpacker.decode(
            Proto.RenewRequest.self, bytes, guardedBy: GuardLimits(limits), limits: limits
        ) { wire, unpacker throws(WireError) in
            let token = try unpacker.required(wire.token, "renew_request.token")
            try unpacker.checkToken(token, "renew_request.token")
            return token
        }
    }

    /// - Parameter milliseconds: how long the identity is valid from now on; `nil`: until it is revoked.
    package static func encodeRenewAnswer(milliseconds: UInt64?) -> [UInt8] {
        Packer.pack(Proto.RenewAnswer.self) { ($0.has_identity_ms, $0.identity_ms) = $1.number(milliseconds) }
    }

    /// - Returns: how long the identity is valid from now on, in milliseconds; `nil`: until it is revoked.
    package static func decodeRenewAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> UInt64? {
        try Unpacker.decode(
            Proto.RenewAnswer.self, bytes, guardedBy: GuardLimits(limits), limits: limits
        ) { $1.number($0.has_identity_ms, $0.identity_ms) }
    }

    package static func decodeGetScreenRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> GetScreenRequest { try unpack(bytes, limits) }

    package static func decodeSearchRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> SearchRequest { try unpack(bytes, limits) }

    package static func decodeCollectionRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> CollectionRequest { try unpack(bytes, limits) }

    package static func decodeReportRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> ReportRequest { try unpack(bytes, limits) }

    package static func decodePublishRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> PublishRequest { try unpack(bytes, limits) }

    package static func decodeSourceRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> SourceRequest { try unpack(bytes, limits) }

    package static func decodeSourceAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> SourceAnswer { try unpack(bytes, limits) }

    package static func decodeRecordSumsRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> RecordSumsRequest { try unpack(bytes, limits) }

    package static func decodeRecordSumsAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> RecordSumsAnswer { try unpack(bytes, limits) }

    package static func decodeDraftsRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> DraftsRequest { try unpack(bytes, limits) }

    package static func decodeDraftsAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> DraftsAnswer { try unpack(bytes, limits) }

    package static func decodeIntroduceRequest(
        _ bytes: [UInt8], limits: WireLimits = .server
    ) throws(WireError) -> IntroduceRequest { try unpack(bytes, limits) }

    package static func decodeIntroduceAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> IntroduceAnswer { try unpack(bytes, limits) }

    package static func decodePlanAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> PlanAnswer { try unpack(bytes, limits) }

    package static func decodeGetScreenAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> GetScreenAnswer { try unpack(bytes, limits) }

    package static func decodeSearchAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> SearchAnswer { try unpack(bytes, limits) }

    package static func decodeMutationAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> MutationAnswer { try unpack(bytes, limits) }

    package static func decodeHealthAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> HealthAnswer { try unpack(bytes, limits) }

    package static func decodeDescribeAnswer(
        _ bytes: [UInt8], limits: WireLimits = .client
    ) throws(WireError) -> DescribeAnswer { try unpack(bytes, limits) }

    private static func pack<Body: ProtobufConvertible>(_ body: Body) -> [UInt8] { Packer.pack(body) }

    private static func unpack<Body: ProtobufConvertible>(
        _ bytes: [UInt8], _ limits: WireLimits
    ) throws(WireError) -> Body {
        try Unpacker.decode(bytes, guardedBy: GuardLimits(limits), limits: limits)
    }
}
