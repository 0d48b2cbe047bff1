import MarqueeCatalogue
package import MarqueeModel
package import MarqueeWire

extension Screens {
    /// The view and variants that a subscription shows.
    ///
    /// - Parameters:
    ///   - locale: the requested locale; mapped to one that the programme has.
    ///   - parameters: at most one per section; a window is mapped to the smallest step that shows at least as much, or
    ///     the largest.
    ///   - user: the requesting user. Without one, private sections are omitted, and the view's head names them.
    ///   - claims: the reader's claims. Sections for other readers are treated as nonexistent.
    /// - Throws: `notFound` for a nonexistent screen or record, `invalidArgument` for a nonexistent or repeated
    ///   section, a nonexistent sort, a window of a section without windows, or a place that the section can't show,
    ///   `unauthenticated` without a user if all sections of the screen are private.
    package func plan(
        screen name: String, locale: String?, parameters: [SectionParameters], user: String?, claims: Claims = .none
    ) throws(Status) -> ViewPlan {
        let screen = try findScreen(name)
        try checkRecord(of: name, screen.argument)
        let visible = screen.sections(for: claims, user: user)
        let chosen = try byID(parameters, of: screen, among: visible)
        let locale = programme.locale(for: locale)
        var sections: [ViewPlan.Section] = []
        let omitsPrivate = user?.isEmpty ?? true && screen.sections.contains(where: \.isPrivate)
        if omitsPrivate, screen.sections.allSatisfy(\.isPrivate) {
            throw Status(
                .unauthenticated, reason: Status.Reason.userRequired, remedy: .reauthenticate,
                message: "the screen '\(name)' shows a user's own data, and the request names no user")
        }
        for shown in visible where !omitsPrivate || !shown.isPrivate {
            let (rendition, section) = screen.rendition(of: shown, for: claims, user: user)
            let sort = try section.sort(for: chosen[section.id]?.sort)
            let variant = VariantKey(
                screen: name, section: section.id, sort: sort,
                window: try section.window(for: chosen[section.id]?.window),
                place: try section.place(
                    for: chosen[section.id], sort: sort, locales: programme.preference(for: locale)),
                locale: locale, user: section.isPrivate ? user : nil, rendition: rendition)
            sections.append(ViewPlan.Section(id: section.id, variant: variant))
        }
        let targeted = visible.filter { $0.readership != nil }.map(\.id)
        return ViewPlan(
            view: ViewKey(
                screen: name, locale: locale, title: screen.titles?.name(for: claims, user: user) ?? .fallback,
                omitsPrivate: omitsPrivate, targeted: targeted),
            sections: sections)
    }

    /// The screen with this name in the current programme.
    func findScreen(_ name: String) throws(Status) -> Programme.Screen {
        if name.utf8.count <= ScreenID.maximumLength, let found = programme.screen(named: name) { return found }
        throw .unknownScreen(name)
    }

    /// Whether the screen and its record exist.
    package func hasScreen(_ name: String) -> Bool {
        guard let screen = try? findScreen(name) else { return false }
        return (try? checkRecord(of: name, screen.argument)) != nil
    }

    /// Whether a screen shows users their own data.
    package func hasPrivateSections(_ name: String) -> Bool {
        (try? findScreen(name))?.sections.contains(where: \.isPrivate) ?? false
    }

    /// Whether readers may see different sections of a screen depending on the claims of their identity.
    package func differsByAudience(_ name: String) -> Bool { (try? findScreen(name))?.differsByAudience ?? false }

    /// - Throws: `notFound` if the screen's record doesn't exist.
    private func checkRecord(of screen: String, _ kind: Programme.Argument?) throws(Status) {
        guard case .record(let type)? = kind, let id = ScreenID(screen).argument else { return }
        if catalogue.records.contains(RecordID(type: type, id: id)) { return }
        throw Status(
            .notFound, reason: "UNKNOWN_RECORD", remedy: .fatal, message: "there is no \(type) '\(id.prefix(64))'")
    }

    private func byID(
        _ parameters: [SectionParameters], of screen: Programme.Screen, among sections: [Programme.Section]
    ) throws(Status) -> [String: SectionParameters] {
        var chosen: [String: SectionParameters] = [:]
        for parameter in parameters {
            guard sections.contains(where: { $0.id == parameter.section }) else {
                let known = sections.map(\.id).joined(separator: ", ")
                throw Status(
                    .invalidArgument, reason: "UNKNOWN_SECTION", remedy: .fatal,
                    message: "'\(screen.pattern)' has no section '\(parameter.section.prefix(64))'; it has \(known)")
            }
            guard chosen.updateValue(parameter, forKey: parameter.section) == nil else {
                throw Status(
                    .invalidArgument, reason: "REPEATED_SECTION", remedy: .fatal,
                    message: "the section '\(parameter.section)' is named twice")
            }
        }
        return chosen
    }
}

extension Programme.Section {
    /// The sort to show for a request; an empty one means the default.
    fileprivate func sort(for requested: String?) throws(Status) -> String {
        guard let requested, !requested.isEmpty else { return sorts.first?.id ?? "" }
        if sorts.contains(where: { $0.id == requested }) { return requested }
        let known = sorts.isEmpty ? "none" : sorts.map(\.id).joined(separator: ", ")
        throw Status(
            .invalidArgument, reason: "UNKNOWN_SORT", remedy: .fatal,
            message: "the section '\(id)' has no sort '\(requested.prefix(64))'; it has \(known)")
    }

    /// The window step to show for a request; 0 means the default.
    fileprivate func window(for requested: UInt32?) throws(Status) -> UInt32 {
        guard let smallest = windows.first, let largest = windows.last else {
            // With windows anywhere, the number of rows becomes part of a place.
            guard requested ?? 0 == 0 || anywhere != nil else {
                throw Status(
                    .invalidArgument, reason: "UNKNOWN_WINDOW", remedy: .fatal,
                    message: "the section '\(id)' has no windows: it shows all its items")
            }
            return 0
        }
        guard let requested, requested > 0 else { return smallest }
        return windows.first { $0 >= requested } ?? largest
    }
}

extension Status {
    /// There is no such screen, or the client may not see it.
    package static func unknownScreen(_ name: String) -> Status {
        Status(.notFound, reason: "UNKNOWN_SCREEN", remedy: .fatal, message: "there is no screen '\(name.prefix(64))'")
    }
}
