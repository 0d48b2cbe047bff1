internal import CMarqueeProto
internal import MarqueeModel

// The C forms of positions, limits, statuses, and the messages of a connection.

extension Cut: ProtobufConvertible {
    func write(to wire: inout Proto.Cut, with packer: Packer) {
        CutChange(self).write(to: &wire, with: packer)
    }

    /// An absent component is read as 0, which means unknown.
    static func read(_ wire: Proto.Cut, with unpacker: Unpacker) throws(WireError) -> Cut {
        let change = try CutChange.read(wire, with: unpacker)
        return Cut(
            catalogueEpoch: change.catalogueEpoch ?? 0, catalogueRevision: change.catalogueRevision ?? 0,
            userEpoch: change.userEpoch ?? 0, userRevision: change.userRevision ?? 0)
    }
}

extension CutChange: ProtobufConvertible {
    func write(to wire: inout Proto.Cut, with packer: Packer) {
        (wire.has_catalogue_epoch, wire.catalogue_epoch) = packer.number(catalogueEpoch)
        (wire.has_catalogue_revision, wire.catalogue_revision) = packer.number(catalogueRevision)
        (wire.has_user_epoch, wire.user_epoch) = packer.number(userEpoch)
        (wire.has_user_revision, wire.user_revision) = packer.number(userRevision)
    }

    static func read(_ wire: Proto.Cut, with unpacker: Unpacker) throws(WireError) -> CutChange {
        CutChange(
            catalogueEpoch: unpacker.number(wire.has_catalogue_epoch, wire.catalogue_epoch),
            catalogueRevision: unpacker.number(wire.has_catalogue_revision, wire.catalogue_revision),
            userEpoch: unpacker.number(wire.has_user_epoch, wire.user_epoch),
            userRevision: unpacker.number(wire.has_user_revision, wire.user_revision))
    }

    /// Whether it has no component.
    var isEmpty: Bool { self == CutChange() }
}

extension WireLimits: ProtobufConvertible {
    func write(to wire: inout Proto.Limits, with packer: Packer) {
        (wire.has_frame_bytes, wire.frame_bytes) = packer.number(frameBytes)
        (wire.has_part_bytes, wire.part_bytes) = packer.number(partBytes)
        (wire.has_elements_per_frame, wire.elements_per_frame) = packer.number(elementsPerFrame)
        (wire.has_unknown_per_message, wire.unknown_per_message) = packer.number(unknownFields)
        (wire.has_subscriptions, wire.subscriptions) = packer.number(subscriptions)
        (wire.has_calls, wire.calls) = packer.number(calls)
        (wire.has_answer_bytes, wire.answer_bytes) = packer.number(answerBytes)
        (wire.has_list_items, wire.list_items) = packer.number(listItems)
        (wire.has_sections, wire.sections) = packer.number(sections)
        (wire.has_credit_bytes, wire.credit_bytes) = packer.number(creditBytes)
        (wire.has_mutations, wire.mutations) = packer.number(mutations)
        (wire.has_cut_bytes, wire.cut_bytes) = packer.number(cutBytes)
    }

    /// An absent limit defaults to the one in `WireLimits.client`.
    static func read(_ wire: Proto.Limits, with unpacker: Unpacker) throws(WireError) -> WireLimits {
        var limits = WireLimits.client
        func set<Number: FixedWidthInteger>(
            _ limit: WritableKeyPath<WireLimits, Number>, _ has: Int32, _ value: Number, atLeast minimum: Number,
            _ name: StaticString
        ) throws(WireError) {
            guard let value = unpacker.number(has, value) else { return }
            try unpacker.check(value >= minimum, "limits.\(name) is \(value); the minimum is \(minimum)")
            limits[keyPath: limit] = value
        }
        try set(\.frameBytes, wire.has_frame_bytes, wire.frame_bytes, atLeast: minimumFrameBytes, "frame_bytes")
        try set(\.partBytes, wire.has_part_bytes, wire.part_bytes, atLeast: minimumFrameBytes, "part_bytes")
        try set(
            \.elementsPerFrame, wire.has_elements_per_frame, wire.elements_per_frame, atLeast: minimumElements,
            "elements_per_frame")
        try set(
            \.unknownFields, wire.has_unknown_per_message, wire.unknown_per_message, atLeast: 0, "unknown_per_message")
        try set(\.subscriptions, wire.has_subscriptions, wire.subscriptions, atLeast: 0, "subscriptions")
        try set(\.calls, wire.has_calls, wire.calls, atLeast: 0, "calls")
        try set(\.answerBytes, wire.has_answer_bytes, wire.answer_bytes, atLeast: 0, "answer_bytes")
        try set(\.listItems, wire.has_list_items, wire.list_items, atLeast: 0, "list_items")
        try set(\.sections, wire.has_sections, wire.sections, atLeast: 0, "sections")
        try set(\.creditBytes, wire.has_credit_bytes, wire.credit_bytes, atLeast: 1, "credit_bytes")
        try set(\.mutations, wire.has_mutations, wire.mutations, atLeast: 0, "mutations")
        try set(\.cutBytes, wire.has_cut_bytes, wire.cut_bytes, atLeast: 1, "cut_bytes")
        return limits
    }
}

extension Status: ProtobufConvertible {
    func write(to wire: inout Proto.Status, with packer: Packer) {
        (wire.has_code, wire.code) = packer.number(code.rawValue)
        wire.reason = packer.text(unlessEmpty: reason)
        (wire.has_remedy, wire.remedy) = packer.number(remedy.rawValue)
        wire.message = packer.text(unlessEmpty: message)
        (wire.has_retry_after_ms, wire.retry_after_ms) = packer.number(retryAfterMilliseconds)
    }

    /// An absent or unknown code becomes `unknown`, an absent or unknown remedy `fatal`.
    static func read(_ wire: Proto.Status, with unpacker: Unpacker) throws(WireError) -> Status {
        Status(
            unpacker.number(wire.has_code, wire.code).flatMap(Status.Code.init) ?? .unknown,
            reason: unpacker.text(wire.reason) ?? "",
            remedy: unpacker.number(wire.has_remedy, wire.remedy).flatMap(Status.Remedy.init) ?? .fatal,
            message: unpacker.text(wire.message) ?? "",
            retryAfterMilliseconds: unpacker.number(wire.has_retry_after_ms, wire.retry_after_ms))
    }
}

extension Hello: ProtobufConvertible {
    func write(to wire: inout Proto.Hello, with packer: Packer) {
        (wire.has_protocol_min, wire.protocol_min) = packer.number(protocolMinimum)
        (wire.has_protocol_max, wire.protocol_max) = packer.number(protocolMaximum)
        wire.limits = packer.message(limits)
        wire.user = packer.text(user)
        wire.token = packer.text(token)
        (wire.has_client_id, wire.client_id) = packer.bytes(clientID)
        wire.agent = packer.text(unlessEmpty: agent)
        wire.cluster = packer.text(cluster)
        wire.seen = packer.message(seen)
        (wire.has_answered_through, wire.answered_through) = packer.number(unlessZero: answeredThrough)
        (wire.has_ping_interval_ms, wire.ping_interval_ms) = packer.number(pingIntervalMilliseconds)
        (wire.has_relay, wire.relay) = packer.flag(isRelay)
    }

    static func read(_ wire: Proto.Hello, with unpacker: Unpacker) throws(WireError) -> Hello {
        var hello = Hello()
        hello.protocolMinimum = try unpacker.required(
            unpacker.number(wire.has_protocol_min, wire.protocol_min), "hello.protocol_min")
        hello.protocolMaximum = try unpacker.required(
            unpacker.number(wire.has_protocol_max, wire.protocol_max), "hello.protocol_max")
        try unpacker.check(
            hello.protocolMinimum <= hello.protocolMaximum, "hello.protocol_min is above hello.protocol_max")
        hello.limits = try unpacker.message(wire.limits) ?? .client
        hello.user = unpacker.text(wire.user)
        hello.token = unpacker.text(wire.token)
        if let token = hello.token { try unpacker.checkToken(token, "hello.token") }
        hello.clientID = unpacker.bytes(
            try unpacker.required(unpacker.number(wire.has_client_id, wire.client_id), "hello.client_id"))
        try unpacker.check(
            hello.clientID.count == clientIDBytes,
            "hello.client_id has \(hello.clientID.count) bytes, not \(clientIDBytes)")
        hello.agent = unpacker.text(wire.agent) ?? ""
        hello.cluster = unpacker.text(wire.cluster)
        hello.seen = try unpacker.message(wire.seen)
        hello.answeredThrough = unpacker.number(wire.has_answered_through, wire.answered_through) ?? 0
        hello.pingIntervalMilliseconds = unpacker.number(wire.has_ping_interval_ms, wire.ping_interval_ms)
        hello.isRelay = unpacker.flag(wire.has_relay, wire.relay)
        return hello
    }
}

extension Welcome: ProtobufConvertible {
    func write(to wire: inout Proto.Welcome, with packer: Packer) {
        (wire.has_protocol, wire.protocol) = packer.number(protocolVersion)
        wire.cluster = packer.text(cluster)
        wire.user = packer.text(user)
        wire.node = packer.text(unlessEmpty: node)
        wire.limits = packer.message(limits)
        wire.cut = packer.message(cut)
        (wire.has_ping_interval_ms, wire.ping_interval_ms) = packer.number(pingIntervalMilliseconds)
        (wire.has_ping_minimum_ms, wire.ping_minimum_ms) = packer.number(pingMinimumMilliseconds)
        (wire.has_progress_interval_ms, wire.progress_interval_ms) = packer.number(progressIntervalMilliseconds)
        wire.image_base_url = packer.text(imageBaseURL)
        (wire.n_locales, wire.locales) = packer.texts(locales)
        (wire.has_last_mutation, wire.last_mutation) = packer.number(lastMutation)
        wire.agent = packer.text(unlessEmpty: agent)
        (wire.has_identity_ms, wire.identity_ms) = packer.number(identityMilliseconds)
    }

    static func read(_ wire: Proto.Welcome, with unpacker: Unpacker) throws(WireError) -> Welcome {
        var welcome = Welcome()
        welcome.protocolVersion = try unpacker.required(
            unpacker.number(wire.has_protocol, wire.protocol), "welcome.protocol")
        welcome.cluster = try unpacker.required(wire.cluster, "welcome.cluster")
        welcome.user = unpacker.text(wire.user)
        welcome.node = unpacker.text(wire.node) ?? ""
        welcome.limits = try unpacker.required(wire.limits, "welcome.limits")
        welcome.cut = try unpacker.required(wire.cut, "welcome.cut")
        welcome.pingIntervalMilliseconds =
            unpacker.number(wire.has_ping_interval_ms, wire.ping_interval_ms) ?? welcome.pingIntervalMilliseconds
        welcome.pingMinimumMilliseconds =
            unpacker.number(wire.has_ping_minimum_ms, wire.ping_minimum_ms) ?? welcome.pingMinimumMilliseconds
        welcome.progressIntervalMilliseconds =
            unpacker.number(wire.has_progress_interval_ms, wire.progress_interval_ms)
            ?? welcome.progressIntervalMilliseconds
        welcome.imageBaseURL = unpacker.text(wire.image_base_url)
        welcome.locales = unpacker.texts(wire.n_locales, wire.locales)
        welcome.lastMutation = unpacker.number(wire.has_last_mutation, wire.last_mutation)
        welcome.agent = unpacker.text(wire.agent) ?? ""
        welcome.identityMilliseconds = unpacker.number(wire.has_identity_ms, wire.identity_ms)
        return welcome
    }
}
