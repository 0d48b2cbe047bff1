import ArgumentParser
import MarqueeLayout
import MarqueeModel
import MarqueePresentation
import Testing

@testable import marquee

@Suite("Arguments of pictures and explanations") struct RenderTests {
    private func render(_ arguments: String...) throws -> RenderCommand { try RenderCommand.parse(arguments) }

    @Test func `A size is two numbers`() throws {
        #expect(PointSize(argument: "390x844")?.size == LayoutSize(width: 390, height: 844))
        #expect(PointSize(argument: "390.5x100")?.size == LayoutSize(width: 390.5, height: 100))
        for text in ["390", "390x", "x844", "390x844x2", "-1x5", "0x5", "infx5", "nanx5", "1e9x5", "390×844", ""] {
            #expect(PointSize(argument: text) == nil, "\(text)")
        }
        #expect(try render("home").layout.size.size == LayoutSize(width: 390, height: 844))
    }

    @Test func `The file's ending sets the format`() throws {
        #expect(throws: (any Error).self) { try render("home", "-o", "home.gif") }
        #expect(throws: (any Error).self) { try render("home", "-o", "") }
        #expect(try render("home", "-o", "a/home.PNG").out == "a/home.PNG")
        #expect(try render("home", "-o", "home", "--format", "svg").format == .svg)
        #expect(try render("home").out == "-")
    }

    @Test func `Scale and offsets are within reason`() throws {
        for scale in ["0", "-1", "9", "nan", "inf"] {
            #expect(throws: (any Error).self, "\(scale)") { try render("home", "--scale", scale) }
        }
        #expect(try render("home", "--scale", "1.5").scale == 1.5)
        #expect(throws: (any Error).self) { try render("home", "--offset", "inf") }
        let command = try render("home", "--section-offset", "action=342", "--section-offset", "a=b=1.5")
        #expect(command.sectionOffsets.map(\.section) == ["action", "a=b"])
        #expect(command.sectionOffsets.map(\.points) == [342, 1.5])
        for text in ["action", "action=", "=5", "action=nan"] {
            #expect(throws: (any Error).self, "\(text)") { try render("home", "--section-offset", text) }
        }
    }

    // MARK: - Explanations

    private var presentation: ScreenPresentation {
        let items = (1...4).map { Screens.movie(UInt64($0), "Movie \($0)") }
        let screen = Screens.screen([
            Screens.section("rank", .rank, title: "Top", items), Screens.section("empty", .list, []),
        ])
        return ScreenPresentation(screen, options: .init(size: LayoutSize(width: 390, height: 844)))
    }

    @Test func `An explanation begins with what it is about`() throws {
        let lines = try ExplainCommand.lines(of: presentation, section: "rank", item: "2")
        #expect(
            lines[0] == "home › rank › item 2, movie/3 “Movie 3”, which came without a layout and is shown as a list")
        // 80 high each, 8 apart, below a header of 44: 44 + 2 × 88
        #expect(lines.contains("  frame: x 15, y 220, 360 × 80"))
    }

    @Test func `An item may be named by its id`() throws {
        let byID = try ExplainCommand.lines(of: presentation, section: "rank", item: "movie/3")
        #expect(try byID == ExplainCommand.lines(of: presentation, section: "rank", item: "2"))
        let first = try ExplainCommand.lines(of: presentation, section: "rank", item: nil)
        #expect(try first == ExplainCommand.lines(of: presentation, section: "rank", item: "0"))
    }

    @Test func `A preview's explanation says whose values by audience a section has`() throws {
        let lines = try ExplainCommand.lines(
            of: presentation, section: "rank", item: nil, audiences: ["premium+beta", ""])
        #expect(lines[2] == "by audience: the value for premium+beta, the value for everybody else")
    }

    @Test func `A missing thing is named along with those that exist`() {
        #expect(throws: Failure.self) { try ExplainCommand.lines(of: presentation, section: "ranks", item: nil) }
        #expect(throws: Failure.self) { try ExplainCommand.lines(of: presentation, section: "rank", item: "4") }
        #expect(throws: Failure.self) { try ExplainCommand.lines(of: presentation, section: "rank", item: "-1") }
        do {
            _ = try ExplainCommand.lines(of: presentation, section: "ranks", item: nil)
        } catch let failure as Failure {
            #expect(failure.message == "'home' has no section 'ranks'; it has rank, empty")
            #expect(failure.status == .usage)
        } catch {
            Issue.record(error)
        }
    }

    @Test func `An empty section is explained without an item`() throws {
        let lines = try ExplainCommand.lines(of: presentation, section: "empty", item: nil)
        #expect(lines.contains("section"))
        #expect(!lines.contains { $0.hasPrefix("item") })
    }
}
