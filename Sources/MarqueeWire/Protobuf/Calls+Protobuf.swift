internal import CMarqueeProto
internal import MarqueeModel

// The C forms of calls and their bodies.

extension Request: ProtobufConvertible {
    func write(to wire: inout Proto.Request, with packer: Packer) {
        (wire.has_call, wire.call) = packer.number(call)
        (wire.has_method, wire.method) = packer.number(method.rawValue)
        (wire.has_deadline_ms, wire.deadline_ms) = packer.number(deadlineMilliseconds)
        (wire.has_body, wire.body) = packer.bytes(body)
        wire.traceparent = packer.text(trace?.text)
        (wire.has_guest, wire.guest) = packer.number(guest)
    }

    static func read(_ wire: Proto.Request, with unpacker: Unpacker) throws(WireError) -> Request {
        Request(
            call: try unpacker.required(unpacker.number(wire.has_call, wire.call), "request.call"),
            method: Method(
                rawValue: try unpacker.required(unpacker.number(wire.has_method, wire.method), "request.method")),
            deadlineMilliseconds: unpacker.number(wire.has_deadline_ms, wire.deadline_ms),
            body: unpacker.bytes(wire.body), trace: unpacker.text(wire.traceparent).flatMap { TraceParent($0) },
            guest: unpacker.number(wire.has_guest, wire.guest))
    }
}

extension Answer: ProtobufConvertible {
    func write(to wire: inout Proto.Answer, with packer: Packer) {
        (wire.has_call, wire.call) = packer.number(call)
        wire.status = packer.message(status)
        (wire.has_body, wire.body) = packer.bytes(body)
        (wire.has_more, wire.more) = packer.flag(more)
    }

    /// An OK status is read as `nil`.
    static func read(_ wire: Proto.Answer, with unpacker: Unpacker) throws(WireError) -> Answer {
        let status: Status? = try unpacker.message(wire.status)
        return Answer(
            call: try unpacker.required(unpacker.number(wire.has_call, wire.call), "answer.call"),
            status: status?.code == .ok ? nil : status, body: unpacker.bytes(wire.body),
            more: unpacker.flag(wire.has_more, wire.more))
    }
}

extension GetScreenRequest: ProtobufConvertible {
    func write(to wire: inout Proto.GetScreenRequest, with packer: Packer) {
        wire.screen = packer.text(screen)
        wire.locale = packer.text(locale)
        (wire.n_sections, wire.sections) = packer.messages(sections)
        (wire.n_reader, wire.reader) = packer.texts(reader)
        (wire.has_at_ms, wire.at_ms) = packer.number(at?.milliseconds)
        wire.draft = packer.text(draft)
    }

    static func read(_ wire: Proto.GetScreenRequest, with unpacker: Unpacker) throws(WireError) -> GetScreenRequest {
        try unpacker.checkCount(wire.n_sections, unpacker.limits.sections, "get_screen_request.sections")
        try unpacker.checkCount(wire.n_reader, maximumReaderTexts, "get_screen_request.reader")
        var request = GetScreenRequest(
            screen: try unpacker.screen(wire.screen, "get_screen_request.screen"), locale: unpacker.text(wire.locale),
            sections: try unpacker.messages(wire.n_sections, wire.sections))
        request.reader = unpacker.texts(wire.n_reader, wire.reader)
        request.at = unpacker.number(wire.has_at_ms, wire.at_ms).map { Moment(milliseconds: $0) }
        request.draft = unpacker.text(wire.draft)
        try unpacker.check(
            request.draft?.utf8.count ?? 0 <= maximumDraftBytes,
            "get_screen_request.draft has more than \(maximumDraftBytes) bytes")
        guard request.reader.allSatisfy({ $0.utf8.count <= maximumReaderBytes }) else {
            throw WireError(.outOfRange, "get_screen_request.reader: a text has more than \(maximumReaderBytes) bytes")
        }
        return request
    }
}

extension ScreenContent: ProtobufConvertible {
    func write(to wire: inout Proto.Content, with packer: Packer) {
        wire.id = packer.text(unlessEmpty: id)
        (wire.has_head, wire.head) = packer.bytes(head)
        (wire.n_items, wire.items) = packer.messages(items)
        (wire.has_sum, wire.sum) = packer.number(sum)
        (wire.n_audiences, wire.audiences) = packer.texts(audiences)
    }

    static func read(_ wire: Proto.Content, with unpacker: Unpacker) throws(WireError) -> ScreenContent {
        try unpacker.checkCount(wire.n_items, unpacker.limits.listItems, "content.items")
        try unpacker.checkCount(wire.n_audiences, GetScreenRequest.maximumReaderTexts, "content.audiences")
        var content = ScreenContent(
            id: unpacker.text(wire.id) ?? "", head: unpacker.bytes(wire.head),
            items: try unpacker.messages(wire.n_items, wire.items),
            sum: try unpacker.required(unpacker.number(wire.has_sum, wire.sum), "content.sum"))
        content.audiences = unpacker.texts(wire.n_audiences, wire.audiences)
        return content
    }
}

extension GetScreenAnswer: ProtobufConvertible {
    func write(to wire: inout Proto.GetScreenAnswer, with packer: Packer) {
        wire.screen = packer.text(screen)
        wire.locale = packer.text(locale)
        wire.cut = packer.message(cut)
        wire.view = packer.message(view)
        (wire.n_sections, wire.sections) = packer.messages(sections)
        (wire.has_preview, wire.preview) = packer.flag(isPreview)
        wire.draft = packer.text(draft)
    }

    static func read(_ wire: Proto.GetScreenAnswer, with unpacker: Unpacker) throws(WireError) -> GetScreenAnswer {
        try unpacker.checkCount(wire.n_sections, unpacker.limits.sections, "get_screen_answer.sections")
        var answer = GetScreenAnswer(
            screen: try unpacker.screen(wire.screen, "get_screen_answer.screen"),
            locale: try unpacker.required(wire.locale, "get_screen_answer.locale"),
            cut: try unpacker.required(wire.cut, "get_screen_answer.cut"),
            view: try unpacker.required(wire.view, "get_screen_answer.view"),
            sections: try unpacker.messages(wire.n_sections, wire.sections))
        answer.isPreview = unpacker.flag(wire.has_preview, wire.preview)
        answer.draft = unpacker.text(wire.draft)
        return answer
    }
}

extension SearchRequest: ProtobufConvertible {
    func write(to wire: inout Proto.SearchRequest, with packer: Packer) {
        wire.query = packer.text(unlessEmpty: query)
        (wire.has_query_id, wire.query_id) = packer.number(queryID)
        (wire.has_page, wire.page) = packer.number(page)
        wire.locale = packer.text(locale)
        (wire.n_filters, wire.filters) = packer.messages(filters)
        (wire.n_facets, wire.facets) = packer.texts(facets)
    }

    static func read(_ wire: Proto.SearchRequest, with unpacker: Unpacker) throws(WireError) -> SearchRequest {
        try unpacker.checkCount(wire.n_filters, maximumFilters, "search_request.filters")
        try unpacker.checkCount(wire.n_facets, maximumFilters, "search_request.facets")
        var request = SearchRequest(
            query: unpacker.text(wire.query) ?? "",
            queryID: unpacker.number(wire.has_query_id, wire.query_id) ?? 0,
            page: unpacker.number(wire.has_page, wire.page) ?? 1, locale: unpacker.text(wire.locale))
        request.filters = try unpacker.messages(wire.n_filters, wire.filters)
        request.facets = unpacker.texts(wire.n_facets, wire.facets)
        let texts = request.filters.flatMap { [$0.field, $0.value] } + request.facets
        try unpacker.check(
            texts.allSatisfy { $0.utf8.count <= maximumFilterBytes },
            "search_request: a filter or facet has more than \(maximumFilterBytes) bytes")
        return request
    }
}

extension SearchRequest.Filter: ProtobufConvertible {
    func write(to wire: inout Proto.SearchFilter, with packer: Packer) {
        wire.field = packer.text(field)
        wire.value = packer.text(value)
    }

    static func read(_ wire: Proto.SearchFilter, with unpacker: Unpacker) throws(WireError) -> SearchRequest.Filter {
        SearchRequest.Filter(
            field: try unpacker.required(wire.field, "search_filter.field"), value: unpacker.text(wire.value) ?? "")
    }
}

extension SearchAnswer.Facet: ProtobufConvertible {
    func write(to wire: inout Proto.SearchFacet, with packer: Packer) {
        wire.field = packer.text(field)
        (wire.n_values, wire.values) = packer.messages(values)
    }

    static func read(_ wire: Proto.SearchFacet, with unpacker: Unpacker) throws(WireError) -> SearchAnswer.Facet {
        SearchAnswer.Facet(
            field: try unpacker.required(wire.field, "search_facet.field"),
            values: try unpacker.messages(wire.n_values, wire.values))
    }
}

extension SearchAnswer.Facet.Value: ProtobufConvertible {
    func write(to wire: inout Proto.SearchFacetValue, with packer: Packer) {
        wire.value = packer.text(value)
        (wire.has_count, wire.count) = packer.number(count)
    }

    static func read(
        _ wire: Proto.SearchFacetValue, with unpacker: Unpacker
    ) throws(WireError) -> SearchAnswer.Facet.Value {
        SearchAnswer.Facet.Value(
            value: unpacker.text(wire.value) ?? "", count: unpacker.number(wire.has_count, wire.count) ?? 0)
    }
}

extension SearchAnswer: ProtobufConvertible {
    func write(to wire: inout Proto.SearchAnswer, with packer: Packer) {
        (wire.has_query_id, wire.query_id) = packer.number(queryID)
        (wire.n_items, wire.items) = packer.messages(items)
        (wire.has_total, wire.total) = packer.number(total)
        (wire.has_total_capped, wire.total_capped) = packer.flag(isTotalCapped)
        (wire.has_page, wire.page) = packer.number(page)
        (wire.has_pages, wire.pages) = packer.number(pages)
        // A search reads only the catalogue, so its answer must not claim a user's position.
        wire.cut = packer.message(
            CutChange(catalogueEpoch: cut.catalogueEpoch, catalogueRevision: cut.catalogueRevision))
        (wire.n_facets, wire.facets) = packer.messages(facets)
        (wire.has_filters, wire.filters) = packer.number(unlessZero: filters)
    }

    static func read(_ wire: Proto.SearchAnswer, with unpacker: Unpacker) throws(WireError) -> SearchAnswer {
        try unpacker.checkCount(wire.n_facets, SearchRequest.maximumFilters, "search_answer.facets")
        var answer = SearchAnswer(
            queryID: unpacker.number(wire.has_query_id, wire.query_id) ?? 0,
            items: try unpacker.messages(wire.n_items, wire.items),
            total: unpacker.number(wire.has_total, wire.total) ?? 0,
            isTotalCapped: unpacker.flag(wire.has_total_capped, wire.total_capped),
            page: unpacker.number(wire.has_page, wire.page) ?? 1,
            pages: unpacker.number(wire.has_pages, wire.pages) ?? 0,
            cut: try unpacker.message(wire.cut) ?? Cut())
        answer.facets = try unpacker.messages(wire.n_facets, wire.facets)
        answer.filters = unpacker.number(wire.has_filters, wire.filters) ?? 0
        return answer
    }
}

extension CollectionRequest: ProtobufConvertible {
    func write(to wire: inout Proto.CollectionRequest, with packer: Packer) {
        (wire.has_number, wire.number) = packer.number(number)
        (wire.has_answered_through, wire.answered_through) = packer.number(unlessZero: answeredThrough)
        wire.subject = packer.text(subject)
        (wire.has_member, wire.member) = (1, isMember ? 1 : 0)
        wire.collection = packer.text(collection == .favorites ? nil : collection.name)
        wire.value = packer.text(value?.json)
    }

    static func read(_ wire: Proto.CollectionRequest, with unpacker: Unpacker) throws(WireError) -> CollectionRequest {
        let subject = try unpacker.required(wire.subject, "collection_request.subject")
        let collection = unpacker.text(wire.collection).map { CollectionName($0) } ?? .favorites
        let value = unpacker.text(wire.value).map { CollectionValue(json: $0) }
        for (name, text, limit) in [
            ("subject", subject, Subject.maximumLength), ("collection", collection.name, CollectionName.maximumLength),
            ("value", value?.json ?? "", CollectionValue.maximumLength),
        ] {
            try unpacker.check(
                text.utf8.count <= limit,
                "collection_request.\(name) has \(text.utf8.count) bytes; the limit is \(limit)")
        }
        let isMember = try unpacker.required(
            unpacker.number(wire.has_member, wire.member), "collection_request.member")
        return CollectionRequest(
            number: try unpacker.required(unpacker.number(wire.has_number, wire.number), "collection_request.number"),
            answeredThrough: unpacker.number(wire.has_answered_through, wire.answered_through) ?? 0,
            collection: collection, subject: subject, isMember: isMember != 0, value: value)
    }
}

extension PublishRequest: ProtobufConvertible {
    func write(to wire: inout Proto.PublishRequest, with packer: Packer) {
        (wire.has_number, wire.number) = packer.number(number)
        (wire.has_answered_through, wire.answered_through) = packer.number(unlessZero: answeredThrough)
        wire.key = packer.text(key)
        (wire.has_index, wire.index) = packer.number(unlessZero: index)
        (wire.has_last, wire.last) = packer.flag(last)
        (wire.n_changes, wire.changes) = packer.byteStrings(changes)
        wire.source = packer.message(source)
    }

    static func read(_ wire: Proto.PublishRequest, with unpacker: Unpacker) throws(WireError) -> PublishRequest {
        PublishRequest(
            number: try unpacker.required(unpacker.number(wire.has_number, wire.number), "publish_request.number"),
            answeredThrough: unpacker.number(wire.has_answered_through, wire.answered_through) ?? 0,
            key: unpacker.text(wire.key), index: unpacker.number(wire.has_index, wire.index) ?? 0,
            last: unpacker.flag(wire.has_last, wire.last),
            changes: unpacker.byteStrings(wire.n_changes, wire.changes), source: try unpacker.message(wire.source))
    }
}

extension DraftsRequest: ProtobufConvertible {
    func write(to wire: inout Proto.DraftsRequest, with packer: Packer) { wire.draft = packer.text(draft) }

    static func read(_ wire: Proto.DraftsRequest, with unpacker: Unpacker) throws(WireError) -> DraftsRequest {
        DraftsRequest(draft: unpacker.text(wire.draft))
    }
}

extension DraftsAnswer: ProtobufConvertible {
    func write(to wire: inout Proto.DraftsAnswer, with packer: Packer) {
        (wire.n_documents, wire.documents) = packer.byteStrings(documents)
    }

    static func read(_ wire: Proto.DraftsAnswer, with unpacker: Unpacker) throws(WireError) -> DraftsAnswer {
        DraftsAnswer(documents: unpacker.byteStrings(wire.n_documents, wire.documents))
    }
}

extension ItemEvent: ProtobufConvertible {
    func write(to wire: inout Proto.Observation, with packer: Packer) {
        (wire.has_kind, wire.kind) = packer.number(kind.rawValue)
        wire.item = packer.text(item)
        (wire.has_place, wire.place) = packer.number(place)
        (wire.has_at_ms, wire.at_ms) = packer.number(at)
        (wire.has_for_ms, wire.for_ms) = packer.number(unlessZero: duration)
        wire.action = packer.text(unlessEmpty: action)
        (wire.has_revision, wire.revision) = packer.number(unlessZero: revision)
    }

    static func read(_ wire: Proto.Observation, with unpacker: Unpacker) throws(WireError) -> ItemEvent {
        let number = try unpacker.required(unpacker.number(wire.has_kind, wire.kind), "observation.kind")
        guard let kind = Kind(rawValue: number) else {
            throw WireError(.outOfRange, "observation.kind is 1, 2 or 3, not \(number)")
        }
        let place = try unpacker.required(unpacker.number(wire.has_place, wire.place), "observation.place")
        let at = try unpacker.required(unpacker.number(wire.has_at_ms, wire.at_ms), "observation.at_ms")
        try unpacker.check(place > 0, "observation.place is at least 1")
        try unpacker.check(at <= latest, "observation.at_ms is \(at), and at most \(latest)")
        var action = ""
        if kind == .action { action = try unpacker.name(wire.action, "observation.action") }
        return ItemEvent(
            kind, item: try unpacker.name(wire.item, "observation.item"), place: place, at: at,
            duration: unpacker.number(wire.has_for_ms, wire.for_ms) ?? 0, action: action,
            revision: unpacker.number(wire.has_revision, wire.revision) ?? 0)
    }
}

extension Unpacker {
    /// The id of something observed.
    fileprivate func name(_ text: UnsafeMutablePointer<CChar>?, _ name: StaticString) throws(WireError) -> String {
        let value = try required(text, name)
        try check(
            value.utf8.count <= ItemEvent.nameBytes,
            "\(name) has \(value.utf8.count) bytes; the limit is \(ItemEvent.nameBytes)")
        return value
    }
}

extension ReportRequest: ProtobufConvertible {
    func write(to wire: inout Proto.ReportRequest, with packer: Packer) {
        (wire.has_number, wire.number) = packer.number(number)
        (wire.has_answered_through, wire.answered_through) = packer.number(unlessZero: answeredThrough)
        wire.screen = packer.text(screen)
        wire.section = packer.text(section)
        (wire.n_observations, wire.observations) = packer.messages(observations)
    }

    static func read(_ wire: Proto.ReportRequest, with unpacker: Unpacker) throws(WireError) -> ReportRequest {
        try unpacker.checkCount(
            wire.n_observations, UInt32(ItemEvent.perReport), "report_request.observations")
        guard wire.n_observations > 0 else {
            throw WireError(.missingField, "report_request.observations is missing")
        }
        return ReportRequest(
            number: try unpacker.required(unpacker.number(wire.has_number, wire.number), "report_request.number"),
            answeredThrough: unpacker.number(wire.has_answered_through, wire.answered_through) ?? 0,
            screen: try unpacker.screen(wire.screen, "report_request.screen"),
            section: try unpacker.name(wire.section, "report_request.section"),
            observations: try unpacker.messages(wire.n_observations, wire.observations))
    }
}

extension MutationAnswer: ProtobufConvertible {
    func write(to wire: inout Proto.MutationAnswer, with packer: Packer) {
        (wire.has_number, wire.number) = packer.number(number)
        wire.cut = packer.message(cut.isEmpty ? nil : cut)
        (wire.has_changed, wire.changed) = packer.flag(changed)
    }

    static func read(_ wire: Proto.MutationAnswer, with unpacker: Unpacker) throws(WireError) -> MutationAnswer {
        MutationAnswer(
            number: try unpacker.required(unpacker.number(wire.has_number, wire.number), "mutation_answer.number"),
            cut: try unpacker.message(wire.cut) ?? CutChange(), changed: unpacker.flag(wire.has_changed, wire.changed))
    }
}
