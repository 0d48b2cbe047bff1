internal import CMarqueeProto
internal import MarqueeModel

// The C forms of a server's health and screen descriptions.

extension HealthAnswer: ProtobufConvertible {
    func write(to wire: inout Proto.HealthAnswer, with packer: Packer) {
        wire.state = packer.text(state)
        wire.cut = packer.message(cut)
        (wire.has_sessions, wire.sessions) = packer.number(hasCounts ? sessions : nil)
        (wire.has_subscriptions, wire.subscriptions) = packer.number(hasCounts ? subscriptions : nil)
        (wire.has_uptime_ms, wire.uptime_ms) = packer.number(uptimeMilliseconds)
        (wire.has_encodes, wire.encodes) = packer.number(hasCounts ? encodes : nil)
        (wire.has_deliveries, wire.deliveries) = packer.number(hasCounts ? deliveries : nil)
        wire.version = packer.text(unlessEmpty: version)
        (wire.n_records, wire.records) = packer.messages(records)
        (wire.has_stale_ms, wire.stale_ms) = packer.number(staleMilliseconds)
        (wire.has_unwritable_ms, wire.unwritable_ms) = packer.number(unwritableMilliseconds)
    }

    static func read(_ wire: Proto.HealthAnswer, with unpacker: Unpacker) throws(WireError) -> HealthAnswer {
        var answer = HealthAnswer()
        answer.state = try unpacker.required(wire.state, "health_answer.state")
        answer.cut = try unpacker.message(wire.cut) ?? Cut()
        let sessions = unpacker.number(wire.has_sessions, wire.sessions)
        answer.hasCounts = sessions != nil
        answer.sessions = sessions ?? 0
        answer.subscriptions = unpacker.number(wire.has_subscriptions, wire.subscriptions) ?? 0
        answer.uptimeMilliseconds = unpacker.number(wire.has_uptime_ms, wire.uptime_ms) ?? 0
        answer.encodes = unpacker.number(wire.has_encodes, wire.encodes) ?? 0
        answer.deliveries = unpacker.number(wire.has_deliveries, wire.deliveries) ?? 0
        answer.version = unpacker.text(wire.version) ?? ""
        answer.records = try unpacker.messages(wire.n_records, wire.records)
        answer.staleMilliseconds = unpacker.number(wire.has_stale_ms, wire.stale_ms)
        answer.unwritableMilliseconds = unpacker.number(wire.has_unwritable_ms, wire.unwritable_ms)
        return answer
    }
}

extension RecordCount: ProtobufConvertible {
    func write(to wire: inout Proto.RecordCount, with packer: Packer) {
        wire.type = packer.text(type)
        (wire.has_count, wire.count) = packer.number(count)
    }

    static func read(_ wire: Proto.RecordCount, with unpacker: Unpacker) throws(WireError) -> RecordCount {
        RecordCount(
            type: try unpacker.required(wire.type, "record_count.type"),
            count: unpacker.number(wire.has_count, wire.count) ?? 0)
    }
}

extension SortOption: ProtobufConvertible {
    func write(to wire: inout Proto.SortDescription, with packer: Packer) {
        wire.id = packer.text(id)
        wire.title = packer.text(unlessEmpty: title)
    }

    static func read(_ wire: Proto.SortDescription, with unpacker: Unpacker) throws(WireError) -> SortOption {
        SortOption(id: try unpacker.required(wire.id, "sort.id"), title: unpacker.text(wire.title) ?? "")
    }
}

extension SectionDescription: ProtobufConvertible {
    func write(to wire: inout Proto.SectionDescription, with packer: Packer) {
        wire.id = packer.text(id)
        (wire.has_kind, wire.kind) = packer.number(kind.rawValue)
        (wire.n_sorts, wire.sorts) = packer.messages(sorts)
        (wire.n_windows, wire.windows) = packer.numbers(windows)
        (wire.has_placeholders, wire.placeholders) = packer.number(unlessZero: placeholders)
        (wire.has_anywhere, wire.anywhere) = packer.number(unlessZero: anywhere)
    }

    static func read(
        _ wire: Proto.SectionDescription, with unpacker: Unpacker
    ) throws(WireError) -> SectionDescription {
        SectionDescription(
            id: try unpacker.required(wire.id, "section_description.id"),
            kind: SectionKind(rawValue: unpacker.number(wire.has_kind, wire.kind) ?? 0),
            sorts: try unpacker.messages(wire.n_sorts, wire.sorts),
            windows: unpacker.numbers(wire.n_windows, wire.windows),
            placeholders: unpacker.number(wire.has_placeholders, wire.placeholders) ?? 0,
            anywhere: unpacker.number(wire.has_anywhere, wire.anywhere) ?? 0)
    }
}

extension ScreenDescription: ProtobufConvertible {
    func write(to wire: inout Proto.ScreenDescription, with packer: Packer) {
        wire.pattern = packer.text(pattern)
        wire.title = packer.text(unlessEmpty: title)
        wire.example = packer.text(example)
        (wire.n_sections, wire.sections) = packer.messages(sections)
    }

    static func read(_ wire: Proto.ScreenDescription, with unpacker: Unpacker) throws(WireError) -> ScreenDescription {
        ScreenDescription(
            pattern: try unpacker.required(wire.pattern, "screen_description.pattern"),
            title: unpacker.text(wire.title) ?? "", example: unpacker.text(wire.example),
            sections: try unpacker.messages(wire.n_sections, wire.sections))
    }
}

extension DescribeAnswer: ProtobufConvertible {
    func write(to wire: inout Proto.DescribeAnswer, with packer: Packer) {
        (wire.n_screens, wire.screens) = packer.messages(screens)
        (wire.n_locales, wire.locales) = packer.texts(locales)
    }

    static func read(_ wire: Proto.DescribeAnswer, with unpacker: Unpacker) throws(WireError) -> DescribeAnswer {
        DescribeAnswer(
            screens: try unpacker.messages(wire.n_screens, wire.screens),
            locales: unpacker.texts(wire.n_locales, wire.locales))
    }
}
