package import MarqueeModel
package import MarqueeWire

extension Screens {
    /// Which variants a subscription shows.
    ///
    /// - Parameters:
    ///   - locale: what the client asked for; mapped to one that the programme has.
    ///   - parameters: at most one per section; a window is mapped to the nearest step that shows as much, else to the
    ///     largest.
    ///   - user: who asks; private sections need one.
    /// - Throws: `notFound` for a screen, movie or genre that isn't there, `invalidArgument` for a section or sort that
    ///   isn't, or a window where there are none, `unauthenticated` for a private section without a user.
    package func plan(
        screen name: String, locale: String?, parameters: [SectionParameters], user: String?
    ) throws(Status) -> ViewPlan {
        let (screen, argument) = try findScreen(name)
        try checkExistence(of: argument, as: screen.argument)
        if screen.argument == .item { try checkItem(of: name) }
        let chosen = try byID(parameters, of: screen)
        let locale = programme.locale(for: locale)
        var sections: [ViewPlan.Section] = []
        for section in screen.sections {
            if section.isPrivate, user?.isEmpty ?? true {
                throw Status(
                    .unauthenticated, reason: "USER_REQUIRED", remedy: .reauthenticate,
                    message: "the screen '\(name)' shows what a user has; say who you are")
            }
            let variant = VariantKey(
                screen: name, section: section.id, sort: try section.sort(for: chosen[section.id]?.sort),
                window: try section.window(for: chosen[section.id]?.window), locale: locale,
                user: section.isPrivate ? user : nil)
            sections.append(ViewPlan.Section(id: section.id, variant: variant))
        }
        return ViewPlan(view: ViewKey(screen: name, locale: locale), sections: sections)
    }

    /// The screen of that name in the programme in force.
    func findScreen(_ name: String) throws(Status) -> (screen: Programme.Screen, argument: UInt64?) {
        if name.utf8.count <= ScreenID.maximumLength, let found = programme.screen(named: name) { return found }
        throw Status(
            .notFound, reason: "UNKNOWN_SCREEN", remedy: .fatal, message: "there is no screen '\(name.prefix(64))'")
    }

    /// Whether there is such a screen, and what it is about.
    package func hasScreen(_ name: String) -> Bool {
        guard let (screen, argument) = try? findScreen(name) else { return false }
        return (try? checkExistence(of: argument, as: screen.argument)) != nil
    }

    private func checkExistence(of argument: UInt64?, as kind: Programme.Argument?) throws(Status) {
        guard let argument, let kind else { return }
        switch kind {
        case .movie where !catalogue.hasMovie(argument):
            throw Status(
                .notFound, reason: "UNKNOWN_MOVIE", remedy: .fatal, message: "there is no movie \(argument)")
        case .genre where !catalogue.hasGenre(argument):
            throw Status(
                .notFound, reason: "UNKNOWN_GENRE", remedy: .fatal, message: "there is no genre \(argument)")
        default: return
        }
    }

    /// - Throws: `notFound` when the screen's item isn't there.
    private func checkItem(of screen: String) throws(Status) {
        if let name = ItemName(ofScreen: screen), catalogue.item(name) != nil { return }
        throw Status(
            .notFound, reason: "UNKNOWN_ITEM", remedy: .fatal, message: "there is no item for '\(screen.prefix(64))'")
    }

    private func byID(
        _ parameters: [SectionParameters], of screen: Programme.Screen
    ) throws(Status) -> [String: SectionParameters] {
        var chosen: [String: SectionParameters] = [:]
        for parameter in parameters {
            guard screen.sections.contains(where: { $0.id == parameter.section }) else {
                let known = screen.sections.map(\.id).joined(separator: ", ")
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
    /// The sort shown for a request; an empty one means the default.
    fileprivate func sort(for wish: String?) throws(Status) -> String {
        guard let wish, !wish.isEmpty else { return sorts.first?.order.rawValue ?? "" }
        if sorts.contains(where: { $0.order.rawValue == wish }) { return wish }
        let known = sorts.isEmpty ? "none" : sorts.map(\.order.rawValue).joined(separator: ", ")
        throw Status(
            .invalidArgument, reason: "UNKNOWN_SORT", remedy: .fatal,
            message: "the section '\(id)' has no sort '\(wish.prefix(64))'; it has \(known)")
    }

    /// The window step shown for a request; 0 means the default.
    fileprivate func window(for wish: UInt32?) throws(Status) -> UInt32 {
        guard let smallest = windows.first, let largest = windows.last else {
            guard wish ?? 0 == 0 else {
                throw Status(
                    .invalidArgument, reason: "UNKNOWN_WINDOW", remedy: .fatal,
                    message: "the section '\(id)' has no windows: it shows all it has")
            }
            return 0
        }
        guard let wish, wish > 0 else { return smallest }
        return windows.first { $0 >= wish } ?? largest
    }
}
