package import MarqueeModel

extension Programme {
    /// Whether anything is counted. For sections of pages from the catalogue, their styles decide.
    var countsAnything: Bool {
        screens.contains { screen in
            screen.sections.contains { $0.counting != nil }
                || screen.pages.contains { page in page.styles.values.contains { $0.counting != nil } }
        }
    }

    /// The observations that clients report about a section of a screen; `nil` for none, or if there is no such
    /// section.
    package func counting(of section: String, on screen: String) -> Counting? {
        self.screen(named: screen)?.sections.first { $0.id == section }?.counting
    }

    /// The names, in order, of the audiences that include a reader and that a screen's sections, or values in them, are
    /// for or not for.
    package func audiences(of screen: String, claims: Claims, user: String?) -> [String] {
        (self.screen(named: screen)?.audiences ?? []).filter { $0.includes(claims, user: user) == true }.map(\.name)
            .sorted()
    }
}
