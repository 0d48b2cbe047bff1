import ArgumentParser
import Foundation
import MarqueeClient
import MarqueeLayout
import MarqueePresentation

struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draws a screen as a picture, or lists every frame as text.",
        discussion: """
            Images are generated from their names, always the same, unless --images has a file of that name.
            The text lists each element with its exact frame and is the same on every machine. If no server
            can be reached, the mirror's copy is drawn.
            Pictures are drawn by the program marquee-pictures, which has to be beside this one or in PATH;
            `make marquee-pictures` builds it. The text needs no other program.

            EXAMPLES
              marquee render home -o home.png
              marquee render home --full-height --scale 1 -o home.png
              marquee render genre/28 --offset 400 --theme light -o action.svg
              marquee render home --section-offset action=342 -o -
              marquee render favorites --user ann --offline -o favorites.txt
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case png, svg, txt
    }

    enum ThemeName: String, ExpressibleByArgument, CaseIterable {
        case dark, light

        var theme: Theme { self == .dark ? .dark : .light }
    }

    /// `SECTION=POINTS`.
    struct SectionOffset: ExpressibleByArgument, Hashable {
        var section: String
        var points: Double

        init?(argument: String) {
            guard let sign = argument.lastIndex(of: "="),
                let points = Double(argument[argument.index(after: sign)...]), points.isFinite
            else { return nil }
            section = String(argument[..<sign])
            self.points = points
            guard !section.isEmpty else { return nil }
        }
    }

    @Argument(help: "The screen, such as home or detail/27205.", completion: ScreenName.completion)
    var screen: ScreenName

    @Option(
        name: [.customShort("o"), .customLong("out")],
        help: ArgumentHelp(
            "The file to write; its ending, .png, .svg or .txt, sets the format; - is standard output.",
            valueName: "file"),
        completion: .file(extensions: ["png", "svg", "txt"]))
    var out = "-"

    @Option(help: ArgumentHelp("The format, if the file's name doesn't say. (default: txt)"))
    var format: Format?

    @OptionGroup(title: "Layout") var layout: LayoutOptions

    @Option(help: ArgumentHelp("Pixels per point.", valueName: "n"))
    var scale = 2.0

    @Option(help: ArgumentHelp("How far the screen is scrolled down, in points.", valueName: "points"))
    var offset = 0.0

    @Option(
        name: .customLong("section-offset"),
        help: ArgumentHelp(
            "How far a section is scrolled sideways, such as action=342. Repeatable.", valueName: "section=points"))
    var sectionOffsets: [SectionOffset] = []

    @Flag(help: "Draws the whole screen, however tall.")
    var fullHeight = false

    @Option(
        help: ArgumentHelp("A folder of .png and .jpg files by the names that screens refer to.", valueName: "folder"),
        completion: .directory)
    var images: String?

    @Option(help: ArgumentHelp("Colours."))
    var theme = ThemeName.dark

    @OptionGroup var source: ScreenSource

    func validate() throws {
        guard scale.isFinite, scale > 0, scale <= Self.maximumScale else {
            throw ValidationError("--scale must be more than 0 and at most \(Int(Self.maximumScale))")
        }
        guard offset.isFinite else { throw ValidationError("--offset must be a number of points") }
        if out.isEmpty { throw ValidationError("-o needs a file") }
        if out != "-", format == nil, Format(rawValue: ending) == nil {
            throw ValidationError("'\(out)' doesn't end in .png, .svg or .txt; use one of these, or give --format")
        }
    }

    private static let maximumScale = 8.0

    private var ending: String { (out as NSString).pathExtension.lowercased() }

    func run() async throws {
        let format = format ?? Format(rawValue: ending) ?? .txt
        // A missing program is reported before any request to a server.
        let program = format == .txt ? nil : try PictureProgram.find()
        let presentation = ScreenPresentation(try await source.load(screen.id), options: options)
        for asked in sectionOffsets where !presentation.sections.contains(where: { $0.id == asked.section }) {
            throw Failure.unknownSection(
                asked.section, of: presentation.id, known: presentation.sections.map(\.id))
        }
        try await write(contents(of: presentation, as: format, by: program))
    }

    private var options: ScreenPresentation.Options {
        var options = ScreenPresentation.Options(size: layout.size.size)
        options.offset = offset
        options.sectionOffsets = Dictionary(sectionOffsets.map { ($0.section, $0.points) }) { _, last in last }
        options.isFullHeight = fullHeight
        options.isRightToLeft = layout.isRightToLeft
        options.isExpanded = layout.isExpanded
        return options
    }

    private func contents(
        of presentation: ScreenPresentation, as format: Format, by program: PictureProgram?
    ) async throws -> Data {
        guard let program, let format = Drawing.Format(rawValue: format.rawValue) else {
            return Data((LayoutText.lines(of: presentation).joined(separator: "\n") + "\n").utf8)
        }
        let shapes = ElementDrawing(
            theme: theme.theme, isExpanded: layout.isExpanded, isRightToLeft: layout.isRightToLeft
        ).shapes(of: presentation)
        let size = LayoutSize(width: presentation.window.width, height: presentation.window.height)
        return try await program.draw(
            Drawing(shapes: shapes, size: size, format: format, scale: scale, images: images))
    }

    private func write(_ data: Data) throws {
        guard out != "-" else { return try Output.standard.write(bytes: Array(data)) }
        do {
            try data.write(to: URL(fileURLWithPath: out), options: .atomic)
        } catch {
            let folder = URL(fileURLWithPath: out).deletingLastPathComponent().path
            let reason =
                FileManager.default.fileExists(atPath: folder)
                ? error.localizedDescription : "there is no folder \(folder)"
            throw Failure(.ioError, "can't write \(out): \(reason)")
        }
    }
}
