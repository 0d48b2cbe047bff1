internal import CMarqueeProto
internal import MarqueeModel

// The C forms of messages that only relays send or receive.

extension IntroduceRequest: ProtobufConvertible {
    func write(to wire: inout Proto.IntroduceRequest, with packer: Packer) {
        (wire.has_guest, wire.guest) = packer.number(guest)
        wire.user = packer.text(user)
        wire.token = packer.text(token)
        (wire.has_client_id, wire.client_id) = packer.bytes(clientID)
        wire.address = packer.text(address)
        (wire.has_claims, wire.claims) = packer.flag(distinguishesClaims)
    }

    static func read(_ wire: Proto.IntroduceRequest, with unpacker: Unpacker) throws(WireError) -> IntroduceRequest {
        let token = unpacker.text(wire.token)
        if let token { try unpacker.checkToken(token, "introduce_request.token") }
        let client = unpacker.bytes(
            try unpacker.required(
                unpacker.number(wire.has_client_id, wire.client_id), "introduce_request.client_id"))
        try unpacker.check(
            client.count == Hello.clientIDBytes,
            "introduce_request.client_id has \(client.count) bytes, not \(Hello.clientIDBytes)")
        return IntroduceRequest(
            guest: try unpacker.required(unpacker.number(wire.has_guest, wire.guest), "introduce_request.guest"),
            user: unpacker.text(wire.user), token: token, clientID: client, address: unpacker.text(wire.address),
            distinguishesClaims: unpacker.flag(wire.has_claims, wire.claims))
    }
}

extension IntroduceAnswer: ProtobufConvertible {
    func write(to wire: inout Proto.IntroduceAnswer, with packer: Packer) {
        wire.user = packer.text(user)
        (wire.n_scopes, wire.scopes) = packer.texts(scopes)
        (wire.has_identity_ms, wire.identity_ms) = packer.number(identityMilliseconds)
        wire.cut = packer.message(cut)
        (wire.has_last_mutation, wire.last_mutation) = packer.number(lastMutation)
        (wire.has_claims, wire.claims) = packer.number(claims == 0 ? nil : claims)
    }

    static func read(_ wire: Proto.IntroduceAnswer, with unpacker: Unpacker) throws(WireError) -> IntroduceAnswer {
        IntroduceAnswer(
            user: unpacker.text(wire.user), scopes: unpacker.texts(wire.n_scopes, wire.scopes),
            identityMilliseconds: unpacker.number(wire.has_identity_ms, wire.identity_ms),
            cut: try unpacker.required(wire.cut, "introduce_answer.cut"),
            lastMutation: unpacker.number(wire.has_last_mutation, wire.last_mutation),
            claims: unpacker.number(wire.has_claims, wire.claims) ?? 0)
    }
}

extension UserProgress: ProtobufConvertible {
    func write(to wire: inout Proto.UserProgress, with packer: Packer) {
        wire.user = packer.text(user)
        wire.cut = packer.message(CutChange(userEpoch: epoch, userRevision: revision))
    }

    static func read(_ wire: Proto.UserProgress, with unpacker: Unpacker) throws(WireError) -> UserProgress {
        let cut: CutChange = try unpacker.required(wire.cut, "user_progress.cut")
        return UserProgress(
            user: try unpacker.required(wire.user, "user_progress.user"),
            epoch: try unpacker.required(cut.userEpoch, "user_progress.cut.user_epoch"),
            revision: try unpacker.required(cut.userRevision, "user_progress.cut.user_revision"))
    }
}

extension PlanAnswer.Section: ProtobufConvertible {
    func write(to wire: inout Proto.PlannedSection, with packer: Packer) {
        wire.section = packer.text(section)
        (wire.has_handle, wire.handle) = packer.number(handle)
        (wire.has_private_, wire.private_) = packer.flag(isPrivate)
    }

    static func read(_ wire: Proto.PlannedSection, with unpacker: Unpacker) throws(WireError) -> PlanAnswer.Section {
        PlanAnswer.Section(
            section: try unpacker.required(wire.section, "planned_section.section"),
            handle: try unpacker.required(unpacker.number(wire.has_handle, wire.handle), "planned_section.handle"),
            isPrivate: unpacker.flag(wire.has_private_, wire.private_))
    }
}

extension PlanAnswer: ProtobufConvertible {
    func write(to wire: inout Proto.PlanAnswer, with packer: Packer) {
        wire.screen = packer.text(screen)
        wire.locale = packer.text(locale)
        wire.cut = packer.message(cut)
        (wire.has_view_handle, wire.view_handle) = packer.number(viewHandle)
        (wire.n_sections, wire.sections) = packer.messages(sections)
        (wire.has_shared, wire.shared) = packer.flag(isShared)
    }

    static func read(_ wire: Proto.PlanAnswer, with unpacker: Unpacker) throws(WireError) -> PlanAnswer {
        try unpacker.checkCount(wire.n_sections, unpacker.limits.sections, "plan_answer.sections")
        return PlanAnswer(
            screen: try unpacker.screen(wire.screen, "plan_answer.screen"),
            locale: try unpacker.required(wire.locale, "plan_answer.locale"),
            cut: try unpacker.required(wire.cut, "plan_answer.cut"),
            viewHandle: try unpacker.required(
                unpacker.number(wire.has_view_handle, wire.view_handle), "plan_answer.view_handle"),
            sections: try unpacker.messages(wire.n_sections, wire.sections),
            isShared: unpacker.flag(wire.has_shared, wire.shared))
    }
}

extension Replan: ProtobufConvertible {
    func write(to wire: inout Proto.Replan, with packer: Packer) {
        (wire.has_all, wire.all) = packer.flag(isAll)
        (wire.n_families, wire.families) = packer.texts(families)
        (wire.n_gone, wire.gone) = packer.numbers(gone)
    }

    static func read(_ wire: Proto.Replan, with unpacker: Unpacker) throws(WireError) -> Replan {
        Replan(
            isAll: unpacker.flag(wire.has_all, wire.all), families: unpacker.texts(wire.n_families, wire.families),
            gone: unpacker.numbers(wire.n_gone, wire.gone))
    }
}
