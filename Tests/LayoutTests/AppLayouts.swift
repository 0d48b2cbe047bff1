import MarqueeLayout
import MarqueeModel

/// Sections of four apps, whose frames and explanations are tested.
enum AppLayouts {
    // A streaming service's home.
    static let streamingMain = SectionLayout(
        group: column(fw(1), abs(450), item(fw(1), fh(1))), insets: insets(0, 0, 20, 0))
    static let streamingBasic = SectionLayout(
        group: row(fw(0.9), est(200), count: 3, item(fw(0.3), fh(0.75), insets: insets(10, 5, 0, 5))),
        insets: insets(0, 5, 0, 5), scrolling: .continuous)
    static let streamingLarge = SectionLayout(
        group: row(fw(0.9), est(400), count: 2, item(fw(0.3), fh(0.75), insets: insets(10, 5, 0, 5))),
        insets: insets(0, 5, 0, 5), scrolling: .continuous, supplementaries: [header(abs(30))])
    static let streamingRank = SectionLayout(
        group: row(fw(0.9), est(200), count: 2, item(fw(0.3), fh(0.9), insets: insets(10, 5, 0, 5))),
        insets: insets(0, 5, 0, 5), scrolling: .continuous, supplementaries: [header(abs(30))])

    // A box office app.
    static let boxOfficeRank = SectionLayout(
        group: row(fw(0.4), fw(0.8), item(fw(1), fw(1.7), insets: insets(10, 10, 10, 10))), scrolling: .groupPaging,
        supplementaries: [header(abs(44))])
    static let boxOfficeGenres = SectionLayout(
        group: row(
            fw(1), fw(1 / 3), insets: insets(0, 0, 0, 20), item(fw(1 / 3), fw(0.35), insets: insets(10, 10, 10, 10))
        ), supplementaries: [header(abs(40)), footer(abs(55))])
    static let boxOfficeCredits = SectionLayout(
        group: column(fw(0.4), fh(0.2), insets: insets(0, 15, 0, 0), item(fw(1), fw(0.45))),
        insets: insets(0, 10, 0, 0), spacing: 15, scrolling: .continuous, supplementaries: [header(abs(60))])

    // A layout study.
    static let studyGrid = SectionLayout(
        group: row(fw(1), fh(0.25), item(fw(1 / 3), fh(1), insets: insets(2.5, 2.5, 2.5, 2.5))),
        insets: insets(2.5, 2.5, 2.5, 2.5))

    // A course home.
    static let courseBanner = SectionLayout(group: row(fw(1), abs(220), item(fw(1), fh(1))))
    static let courseRow = SectionLayout(
        group: row(abs(160), abs(200), item(fw(1), fh(1))), insets: insets(0, 20, 20, 20), spacing: 10,
        scrolling: .continuous)
}
