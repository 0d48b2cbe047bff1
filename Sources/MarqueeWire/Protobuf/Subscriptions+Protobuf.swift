internal import CMarqueeProto
internal import MarqueeModel

// The C forms of messages that open, resume, bind and repair a subscription.

extension SectionParameters: ProtobufConvertible {
    func write(to wire: inout Proto.SectionParameters, with packer: Packer) {
        wire.section = packer.text(section)
        wire.sort = packer.text(sort)
        (wire.has_window, wire.window) = packer.number(window)
        guard let place else { return }
        wire.anchor = packer.text(place.item)
        (wire.has_cursor, wire.cursor) = packer.bytes(place.cursor ?? [])
        wire.value = packer.text(place.value)
        (wire.has_end, wire.end) = packer.flag(place.isEnd)
        (wire.has_before, wire.before) = packer.number(unlessZero: place.before)
        // Always written, to show that there is a place even if all other fields are absent.
        (wire.has_after, wire.after) = packer.number(place.after)
    }

    static func read(_ wire: Proto.SectionParameters, with unpacker: Unpacker) throws(WireError) -> SectionParameters {
        var parameters = SectionParameters(
            section: try unpacker.required(wire.section, "section_parameters.section"),
            sort: unpacker.text(wire.sort), window: unpacker.number(wire.has_window, wire.window))
        let place = WindowPlace(
            item: unpacker.text(wire.anchor), cursor: wire.has_cursor == 0 ? nil : unpacker.bytes(wire.cursor),
            value: unpacker.text(wire.value), isEnd: unpacker.flag(wire.has_end, wire.end),
            before: unpacker.number(wire.has_before, wire.before) ?? 0,
            after: unpacker.number(wire.has_after, wire.after) ?? 0)
        if place != WindowPlace() || wire.has_after != 0 { parameters.place = place }
        return parameters
    }
}

extension HeldSection: ProtobufConvertible {
    func write(to wire: inout Proto.HeldSection, with packer: Packer) {
        wire.section = packer.text(section)
        (wire.has_sum, wire.sum) = packer.number(sum)
    }

    static func read(_ wire: Proto.HeldSection, with unpacker: Unpacker) throws(WireError) -> HeldSection {
        HeldSection(
            section: try unpacker.required(wire.section, "held_section.section"),
            sum: try unpacker.required(unpacker.number(wire.has_sum, wire.sum), "held_section.sum"))
    }
}

extension Resume: ProtobufConvertible {
    func write(to wire: inout Proto.Resume, with packer: Packer) {
        wire.cut = packer.message(cut)
        (wire.has_view_sum, wire.view_sum) = packer.number(viewSum)
        (wire.n_sections, wire.sections) = packer.messages(sections)
    }

    static func read(_ wire: Proto.Resume, with unpacker: Unpacker) throws(WireError) -> Resume {
        try unpacker.checkCount(wire.n_sections, unpacker.limits.sections, "resume.sections")
        return Resume(
            cut: try unpacker.required(wire.cut, "resume.cut"),
            viewSum: try unpacker.required(unpacker.number(wire.has_view_sum, wire.view_sum), "resume.view_sum"),
            sections: try unpacker.messages(wire.n_sections, wire.sections))
    }
}

extension Subscribe: ProtobufConvertible {
    func write(to wire: inout Proto.Subscribe, with packer: Packer) {
        (wire.has_subscription, wire.subscription) = packer.number(subscription)
        (wire.has_generation, wire.generation) = packer.number(unlessZero: generation)
        wire.screen = packer.text(unlessEmpty: screen)
        wire.locale = packer.text(locale)
        (wire.n_sections, wire.sections) = packer.messages(sections)
        wire.resume = packer.message(resume)
        (wire.has_handle, wire.handle) = packer.number(handle)
    }

    static func read(_ wire: Proto.Subscribe, with unpacker: Unpacker) throws(WireError) -> Subscribe {
        try unpacker.checkCount(wire.n_sections, unpacker.limits.sections, "subscribe.sections")
        let handle = unpacker.number(wire.has_handle, wire.handle)
        return Subscribe(
            subscription: try unpacker.required(
                unpacker.number(wire.has_subscription, wire.subscription), "subscribe.subscription"),
            generation: unpacker.number(wire.has_generation, wire.generation) ?? 0,
            screen: handle == nil ? try unpacker.screen(wire.screen, "subscribe.screen") : "",
            locale: unpacker.text(wire.locale), sections: try unpacker.messages(wire.n_sections, wire.sections),
            resume: try unpacker.message(wire.resume), handle: handle)
    }
}

extension SubscriptionError: ProtobufConvertible {
    func write(to wire: inout Proto.SubscriptionError, with packer: Packer) {
        (wire.has_subscription, wire.subscription) = packer.number(subscription)
        (wire.has_generation, wire.generation) = packer.number(unlessZero: generation)
        wire.status = packer.message(status)
        wire.section = packer.text(section)
    }

    static func read(_ wire: Proto.SubscriptionError, with unpacker: Unpacker) throws(WireError) -> SubscriptionError {
        SubscriptionError(
            subscription: try unpacker.required(
                unpacker.number(wire.has_subscription, wire.subscription), "subscription_error.subscription"),
            generation: unpacker.number(wire.has_generation, wire.generation) ?? 0,
            status: try unpacker.required(wire.status, "subscription_error.status"),
            section: unpacker.text(wire.section))
    }
}

extension Binding: ProtobufConvertible {
    func write(to wire: inout Proto.Binding, with packer: Packer) {
        wire.section = packer.text(section)
        (wire.has_handle, wire.handle) = packer.number(handle)
        (wire.has_sum, wire.sum) = packer.number(sum)
    }

    static func read(_ wire: Proto.Binding, with unpacker: Unpacker) throws(WireError) -> Binding {
        Binding(
            section: try unpacker.required(wire.section, "binding.section"),
            handle: try unpacker.required(unpacker.number(wire.has_handle, wire.handle), "binding.handle"),
            sum: unpacker.number(wire.has_sum, wire.sum))
    }
}

extension Join: ProtobufConvertible {
    func write(to wire: inout Proto.Join, with packer: Packer) {
        (wire.has_subscription, wire.subscription) = packer.number(subscription)
        (wire.has_generation, wire.generation) = packer.number(unlessZero: generation)
        (wire.has_view_handle, wire.view_handle) = packer.number(viewHandle)
        (wire.has_view_sum, wire.view_sum) = packer.number(viewSum)
        (wire.n_sections, wire.sections) = packer.messages(sections)
        wire.cut = packer.message(cut)
        wire.screen = packer.text(screen)
        wire.locale = packer.text(locale)
    }

    static func read(_ wire: Proto.Join, with unpacker: Unpacker) throws(WireError) -> Join {
        try unpacker.checkCount(wire.n_sections, unpacker.limits.sections, "join.sections")
        return Join(
            subscription: try unpacker.required(
                unpacker.number(wire.has_subscription, wire.subscription), "join.subscription"),
            generation: unpacker.number(wire.has_generation, wire.generation) ?? 0,
            viewHandle: try unpacker.required(
                unpacker.number(wire.has_view_handle, wire.view_handle), "join.view_handle"),
            viewSum: try unpacker.required(unpacker.number(wire.has_view_sum, wire.view_sum), "join.view_sum"),
            sections: try unpacker.messages(wire.n_sections, wire.sections),
            cut: try unpacker.required(wire.cut, "join.cut"),
            screen: try unpacker.screen(wire.screen, "join.screen"),
            locale: try unpacker.required(wire.locale, "join.locale"))
    }
}

extension HeldVersion: ProtobufConvertible {
    func write(to wire: inout Proto.HeldVersion, with packer: Packer) {
        (wire.has_handle, wire.handle) = packer.number(handle)
        (wire.has_sum, wire.sum) = packer.number(sum)
        (wire.has_refused, wire.refused) = packer.flag(refused)
    }

    static func read(_ wire: Proto.HeldVersion, with unpacker: Unpacker) throws(WireError) -> HeldVersion {
        HeldVersion(
            handle: try unpacker.required(unpacker.number(wire.has_handle, wire.handle), "held_version.handle"),
            sum: unpacker.number(wire.has_sum, wire.sum), refused: unpacker.flag(wire.has_refused, wire.refused))
    }
}

extension Nack: ProtobufConvertible {
    func write(to wire: inout Proto.Nack, with packer: Packer) {
        (wire.has_number, wire.number) = packer.number(number)
        wire.good = packer.message(good)
        (wire.n_held, wire.held) = packer.messages(held)
        (wire.n_staged, wire.staged) = packer.messages(staged)
        wire.status = packer.message(status)
    }

    static func read(_ wire: Proto.Nack, with unpacker: Unpacker) throws(WireError) -> Nack {
        Nack(
            number: try unpacker.required(unpacker.number(wire.has_number, wire.number), "nack.number"),
            good: try unpacker.message(wire.good) ?? Cut(), held: try unpacker.messages(wire.n_held, wire.held),
            staged: try unpacker.messages(wire.n_staged, wire.staged),
            status: try unpacker.required(wire.status, "nack.status"))
    }
}

extension RebaseSection: ProtobufConvertible {
    func write(to wire: inout Proto.RebaseSection, with packer: Packer) {
        wire.section = packer.text(unlessEmpty: section)
        (wire.has_handle, wire.handle) = packer.number(handle)
    }

    static func read(_ wire: Proto.RebaseSection, with unpacker: Unpacker) throws(WireError) -> RebaseSection {
        RebaseSection(
            section: unpacker.text(wire.section) ?? "",
            handle: try unpacker.required(unpacker.number(wire.has_handle, wire.handle), "rebase_section.handle"))
    }
}

extension Rebase: ProtobufConvertible {
    func write(to wire: inout Proto.Rebase, with packer: Packer) {
        (wire.has_subscription, wire.subscription) = packer.number(subscription)
        (wire.n_sections, wire.sections) = packer.messages(sections)
    }

    static func read(_ wire: Proto.Rebase, with unpacker: Unpacker) throws(WireError) -> Rebase {
        // One more than a view's sections, for the view's own list.
        try unpacker.checkCount(wire.n_sections, unpacker.limits.sections + 1, "rebase.sections")
        return Rebase(
            subscription: try unpacker.required(
                unpacker.number(wire.has_subscription, wire.subscription), "rebase.subscription"),
            sections: try unpacker.messages(wire.n_sections, wire.sections))
    }
}

extension Manifest: ProtobufConvertible {
    func write(to wire: inout Proto.Manifest, with packer: Packer) {
        (wire.has_handle, wire.handle) = packer.number(handle)
        (wire.has_sum, wire.sum) = packer.number(sum)
        (wire.has_head_hash, wire.head_hash) = packer.number(headHash)
        (wire.has_pairs, wire.pairs) = packer.bytes(pairs)
        (wire.has_more, wire.more) = packer.flag(more)
    }

    static func read(_ wire: Proto.Manifest, with unpacker: Unpacker) throws(WireError) -> Manifest {
        try unpacker.check(
            wire.pairs.len.isMultiple(of: pairBytes), "manifest.pairs has \(wire.pairs.len) bytes, not a multiple of 16"
        )
        try unpacker.checkCount(wire.pairs.len / pairBytes, unpacker.limits.listItems, "manifest.pairs")
        return Manifest(
            handle: try unpacker.required(unpacker.number(wire.has_handle, wire.handle), "manifest.handle"),
            sum: try unpacker.required(unpacker.number(wire.has_sum, wire.sum), "manifest.sum"),
            headHash: try unpacker.required(unpacker.number(wire.has_head_hash, wire.head_hash), "manifest.head_hash"),
            pairs: unpacker.bytes(wire.pairs), more: unpacker.flag(wire.has_more, wire.more))
    }
}

extension Unpacker {
    /// The name of a screen.
    func screen(_ text: UnsafeMutablePointer<CChar>?, _ name: StaticString) throws(WireError) -> String {
        let screen = try required(text, name)
        try check(
            screen.utf8.count <= ScreenID.maximumLength,
            "\(name) has \(screen.utf8.count) bytes; the limit is \(ScreenID.maximumLength)")
        return screen
    }
}
