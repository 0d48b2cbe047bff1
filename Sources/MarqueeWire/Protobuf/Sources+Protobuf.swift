internal import CMarqueeProto
internal import MarqueeModel

// The C forms of requests about sources, and of their answers.

extension SourceMove: ProtobufConvertible {
    func write(to wire: inout Proto.SourceMove, with packer: Packer) {
        wire.source = packer.text(source)
        wire.position = packer.text(position)
        wire.expected = packer.text(expected)
    }

    static func read(_ wire: Proto.SourceMove, with unpacker: Unpacker) throws(WireError) -> SourceMove {
        SourceMove(
            source: try unpacker.required(wire.source, "source_move.source"),
            position: unpacker.text(wire.position), expected: unpacker.text(wire.expected))
    }
}

extension SourceReport: ProtobufConvertible {
    func write(to wire: inout Proto.SourceReport, with packer: Packer) {
        wire.state = packer.text(unlessEmpty: state)
        wire.error = packer.text(error)
        (wire.has_lag_ms, wire.lag_ms) = packer.number(lagMilliseconds)
    }

    static func read(_ wire: Proto.SourceReport, with unpacker: Unpacker) throws(WireError) -> SourceReport {
        let report = SourceReport(
            state: unpacker.text(wire.state) ?? "", error: unpacker.text(wire.error),
            lagMilliseconds: unpacker.number(wire.has_lag_ms, wire.lag_ms))
        try unpacker.checkText(report.state, textBytes, "source_report.state")
        try unpacker.checkText(report.error, textBytes, "source_report.error")
        return report
    }
}

extension SourceRequest: ProtobufConvertible {
    func write(to wire: inout Proto.SourceRequest, with packer: Packer) {
        wire.source = packer.text(source)
        wire.report = packer.message(report)
    }

    static func read(_ wire: Proto.SourceRequest, with unpacker: Unpacker) throws(WireError) -> SourceRequest {
        let request = SourceRequest(
            source: unpacker.text(wire.source), report: try unpacker.message(wire.report))
        try unpacker.check(
            request.report == nil || request.source != nil, "source_request.report needs source_request.source")
        return request
    }
}

extension SourceState: ProtobufConvertible {
    func write(to wire: inout Proto.SourceState, with packer: Packer) {
        wire.source = packer.text(source)
        wire.position = packer.text(position)
        (wire.has_moved_ms, wire.moved_ms) = packer.number(movedMilliseconds)
        wire.report = packer.message(report)
        (wire.has_report_age_ms, wire.report_age_ms) = packer.number(reportAgeMilliseconds)
        wire.trouble = packer.message(trouble)
    }

    static func read(_ wire: Proto.SourceState, with unpacker: Unpacker) throws(WireError) -> SourceState {
        SourceState(
            source: try unpacker.required(wire.source, "source_state.source"), position: unpacker.text(wire.position),
            movedMilliseconds: unpacker.number(wire.has_moved_ms, wire.moved_ms),
            report: try unpacker.message(wire.report),
            reportAgeMilliseconds: unpacker.number(wire.has_report_age_ms, wire.report_age_ms),
            trouble: try unpacker.message(wire.trouble))
    }
}

extension SourceTrouble: ProtobufConvertible {
    func write(to wire: inout Proto.SourceTrouble, with packer: Packer) {
        wire.reason = packer.text(reason)
        (wire.has_age_ms, wire.age_ms) = packer.number(unlessZero: ageMilliseconds)
    }

    static func read(_ wire: Proto.SourceTrouble, with unpacker: Unpacker) throws(WireError) -> SourceTrouble {
        SourceTrouble(
            reason: try unpacker.required(wire.reason, "source_trouble.reason"),
            ageMilliseconds: unpacker.number(wire.has_age_ms, wire.age_ms) ?? 0)
    }
}

extension SourceAnswer: ProtobufConvertible {
    func write(to wire: inout Proto.SourceAnswer, with packer: Packer) {
        (wire.n_sources, wire.sources) = packer.messages(sources)
    }

    static func read(_ wire: Proto.SourceAnswer, with unpacker: Unpacker) throws(WireError) -> SourceAnswer {
        SourceAnswer(sources: try unpacker.messages(wire.n_sources, wire.sources))
    }
}

extension RecordSumsRequest: ProtobufConvertible {
    func write(to wire: inout Proto.RecordSumsRequest, with packer: Packer) {
        wire.type = packer.text(type)
        wire.after = packer.text(after)
    }

    static func read(_ wire: Proto.RecordSumsRequest, with unpacker: Unpacker) throws(WireError) -> RecordSumsRequest {
        RecordSumsRequest(
            type: try unpacker.required(wire.type, "record_sums_request.type"), after: unpacker.text(wire.after))
    }
}

extension RecordSumsAnswer: ProtobufConvertible {
    func write(to wire: inout Proto.RecordSumsAnswer, with packer: Packer) {
        (wire.n_ids, wire.ids) = packer.texts(ids)
        (wire.n_sums, wire.sums) = packer.numbers(sums)
        (wire.has_more, wire.more) = packer.flag(more)
    }

    static func read(_ wire: Proto.RecordSumsAnswer, with unpacker: Unpacker) throws(WireError) -> RecordSumsAnswer {
        try unpacker.check(
            wire.n_ids == wire.n_sums, "record_sums_answer has \(wire.n_ids) ids and \(wire.n_sums) sums")
        return RecordSumsAnswer(
            ids: unpacker.texts(wire.n_ids, wire.ids), sums: unpacker.numbers(wire.n_sums, wire.sums),
            more: unpacker.flag(wire.has_more, wire.more))
    }
}

extension Unpacker {
    fileprivate func checkText(_ text: String?, _ limit: Int, _ name: StaticString) throws(WireError) {
        let count = text?.utf8.count ?? 0
        try check(count <= limit, "\(name) has \(count) bytes; the limit is \(limit)")
    }
}
