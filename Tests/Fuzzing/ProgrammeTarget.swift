import HubSupport
import MarqueeCatalogue
import MarqueeDiff
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTypes
import MarqueeWire

extension FuzzTarget {
    /// Programme files. The first byte chooses the types. A text is read the same each time, its mistakes are bounded
    /// and have lines, and every screen of one without mistakes can be opened and sent.
    static let programme = FuzzTarget(
        name: "programme", maximumBytes: 16 << 10, seeds: ProgrammeFuzzing.seeds
    ) { bytes in
        var input = FuzzInput(bytes)
        let types = input.bool() ? PodcastWorld.typeSet : nil
        guard let text = String(validating: input.remainder(), as: UTF8.self) else { return }
        ProgrammeFuzzing.judge(text, types)
    }
}

private enum ProgrammeFuzzing {
    static func judge(_ text: String, _ types: TypeSet?) {
        let (programme, mistakes) = read(text, types)
        let again = read(text, types)
        require(again.programme == programme && again.mistakes == mistakes, "a file means one thing")
        // YAML's line breaks are these, too.
        let lines = 2 + text.unicodeScalars.count { ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains($0) }
        for mistake in mistakes { require((1...lines).contains(mistake.line), "\(mistake)") }
        guard let programme else {
            require((1...FileMistakes.limit).contains(mistakes.count), "a refused file has a mistake")
            return
        }
        require(!programme.locales.isEmpty && programme.locales.contains(programme.locale(for: "xx")))
        require(Set(programme.screens.map(\.family)).count == programme.screens.count, "families are unique")
        for screen in programme.screens {
            require(Set(screen.sections.map(\.id)).count == screen.sections.count, "ids of sections are unique")
            let name = screen.argument == nil ? screen.family : "\(screen.family)/s0"
            require(programme.screen(named: name) == screen, "a screen is found by its name")
        }
        if types != nil { open(programme, text) }
    }

    private static func read(_ text: String, _ types: TypeSet?) -> (programme: Programme?, mistakes: [FileMistake]) {
        do throws(FileMistakes) {
            let read = try Programme.check(text: text, file: "programme.yaml", types: types)
            return (read.programme, read.warnings)
        } catch {
            return (nil, error.mistakes)
        }
    }

    /// Opens every screen. What it shows is canonical, as the server promises, and small enough to be sent.
    private static func open(_ programme: Programme, _ text: String) {
        var screens = PodcastWorld.read
        let commit = CatalogueCommit(revision: screens.head.revision + 1, key: nil, changes: [.programme(text)])
        guard let effect = try? screens.apply(commit) else { fatalError("a commit that follows is applied") }
        require(effect.programmeErrors.isEmpty && screens.writtenProgramme == programme, "it is the programme in force")
        let hub = Hub(
            screens: screens, library: VersionLibrary(), now: 0, publish: { _ in }, report: { _ in })
        for screen in programme.screens {
            let name = screen.argument == nil ? screen.family : "\(screen.family)/s0"
            let request = OpenRequest(
                screen: name, locale: programme.locales.last, parameters: [], user: FuzzServer.user)
            guard case .success(let view) = hub.open(request, reading: PodcastWorld.store) else { continue }
            for member in [view.list] + view.sections { judge(member.current.version) }
            hub.release(view.handles)
        }
    }

    private static func judge(_ version: Version) {
        require(CanonicalBody.isCanonical(version.head), "a head is canonical")
        for item in version.items { require(CanonicalBody.isCanonical(item.body), "a body is canonical") }
        require(Set(version.items.map(\.id)).count == version.items.count, "ids of items are unique")
        let patch = Differ.patch(from: .empty, to: version)
        require((try? PartEncoder.encode(patch, handle: 1, isWhole: true)) != nil, "a version can be sent")
    }

    @Sendable static func seeds() throws -> [[UInt8]] {
        let samples = try [
            "a-streaming", "b-box-office", "c-layout-study", "catalogue", "conference", "d-courses", "dives", "league",
            "podcasts",
        ].map { [1] + (try RepositoryFiles.bytes("Samples/\($0)/programme.yaml")) }
        let small = [[1] + Array(PodcastWorld.programmeText.utf8), [0] + Array(PodcastWorld.programmeText.utf8)]
        let anchors =
            "screens:\n  home:\n    title: &a {en: x}\n    sections:\n      - &b {id: a, kind: list}\n      - *b\n"
        let conditions = "plays: {has: true}, any: [{plays: {above: 1}}, {minutes: {to: 9}}]"
        let query = "{type: episode, where: {\(conditions)}, sort: [-plays, title]}"
        let combined =
            "screens:\n  home:\n    title: x\n    sections: [{id: a, kind: list, source: {records: \(query)}}]\n"
        return small + samples + [[1] + Array(anchors.utf8), [1] + Array(combined.utf8)]
    }
}
