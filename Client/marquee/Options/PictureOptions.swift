import ArgumentParser
import Foundation
import MarqueeClient
import MarqueeLayout

/// `390x844`: points.
struct PointSize: ExpressibleByArgument, Hashable, Sendable {
    /// Points of a side; no screen has more.
    static let maximum = 20_000.0

    var size: LayoutSize

    init(_ size: LayoutSize) { self.size = size }

    init?(argument: String) {
        let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1],
            [width, height].allSatisfy({ $0.isFinite && $0 >= 1 && $0 <= Self.maximum })
        else { return nil }
        size = LayoutSize(width: width, height: height)
    }

    var defaultValueDescription: String { "\(Int(size.width))x\(Int(size.height))" }

    static let phone = PointSize(LayoutSize(width: 390, height: 844))
}

/// How a screen is laid out: the same for pictures and explanations.
struct LayoutOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The screen's size in points.", valueName: "width>x<height"),
        completion: .list(["390x844", "768x1024", "1024x768"]))
    var size = PointSize.phone

    @Flag(name: .customLong("right-to-left"), help: "Mirrors the screen, as for Arabic or Hebrew.")
    var isRightToLeft = false

    @Flag(name: .customLong("expanded"), help: "Shows running text in full instead of two lines of it.")
    var isExpanded = false
}

/// The source of a screen: a server, or the copy in a mirror.
struct ScreenSource: ParsableArguments {
    @OptionGroup(title: "What to show") var choices: SectionChoices

    @Flag(help: "Use the mirror's copy without asking a server.")
    var offline = false

    @Option(help: ArgumentHelp("How long to wait for the answer, in seconds.", valueName: "seconds"))
    var timeout = Seconds(10)

    @OptionGroup(title: "Mirror") var mirror: MirrorOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws { try timeout.checkTimeout() }

    /// The screen from the server; the mirror's copy, with a note, if no server can be reached.
    func load(_ screen: ScreenID) async throws -> Screen { try await loadNamingOrigin(screen).screen }

    /// The same, and whether it is the mirror's copy, which is never that of another reader or moment.
    func loadNamingOrigin(
        _ screen: ScreenID, reader: [String] = [], at moment: Moment? = nil, draft: String? = nil
    ) async throws -> (screen: Screen, isStored: Bool) {
        let isPreview = !reader.isEmpty || moment != nil || draft != nil
        let connection = try connection.resolved()
        var result: (screen: Screen, isStored: Bool)
        if offline {
            result = (try stored(screen, connection, because: nil), true)
        } else {
            do {
                let options = choices.options
                let answer = try await ServerCall.run(connection, timeout: timeout) {
                    try await $0.fetchScreen(screen, options: options, reader: reader, at: moment, draft: draft)
                }
                result = (answer, false)
            } catch let failure as Failure where failure.status == .unavailable && !isPreview {
                result = (try stored(screen, connection, because: failure), true)
            }
        }
        try choices.check(against: result.screen)
        for text in choices.unmet(on: result.screen) { Notes.complain(text) }
        return result
    }

    /// - Parameter failure: why the server didn't answer; thrown if the mirror can't help either.
    private func stored(_ id: ScreenID, _ connection: Connection, because failure: Failure?) throws -> Screen {
        let path = try mirror.resolved(for: connection).path
        let found: Screen?
        do throws(ClientError) {
            found = try MirrorInspection.screen(id, locale: connection.locale, at: path)
        } catch  where error.code == .mirrorDamaged {
            throw Failure(.dataError, (failure.map { "\($0.message); " } ?? "") + error.message)
        } catch {
            throw failure ?? Failure(.noInput, error.message)
        }
        guard let found else {
            throw failure
                ?? Failure(.noInput, "the mirror at \(path) has no screen \(id.name) in \(connection.locale)")
        }
        let age = Words.ago(found.asOf.timeIntervalSince1970, now: Date().timeIntervalSince1970)
        Notes.complain("\(failure.map { "\($0.message); " } ?? "")from the mirror, stored \(age)")
        for section in found.damagedSections {
            let rest = found[section: section] == nil ? "it is left out" : "items of it are left out"
            Notes.complain("the stored section '\(section)' is damaged: \(rest) until a server answers")
        }
        return found
    }
}
