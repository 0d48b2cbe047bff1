import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import MarqueeStore
import PresetSupport
import Testing

/// Pages imported from the payload of a course home.
@Suite struct CourseImportTests {
    private let folder: ImportFolder
    private let store = MemoryStore()

    init() throws { folder = try ImportFolder() }

    private func run(_ json: String, currency: String? = nil) throws -> ImportReport {
        try Importer(store: store).courses(file: try folder.file("home.json", json), page: "home", currency: currency)
    }

    private func items(_ section: Int) throws -> [ShelfItem] {
        let page = try #require(try store.pages().first)
        return try #require(try store.shelf(page.sections[section].list)).items
    }

    private static func payload(_ layouts: String...) -> String {
        #"{"status": 200, "layouts": [\#(layouts.joined(separator: ","))]}"#
    }

    @Test func `A price is in the currency beside it, or else in that of the import`() throws {
        let lane = #"""
            {"type":"courseSwimlane","id":"lane","value":[{"id":"1","title":"A","price":19.99},
             {"id":"2","title":"B","price":15000,"currency":"KRW"},{"id":"3","title":"C"}]}
            """#
        func currencies() throws -> [String?] {
            try items(0).map { item -> String? in
                if case .course(let course) = item.content { course.currency } else { nil }
            }
        }
        #expect(try run(CourseImportTests.payload(lane)).problems == [])
        #expect(try currencies() == [nil, "KRW", nil])
        #expect(try run(CourseImportTests.payload(lane), currency: "USD").problems == [])
        #expect(try currencies() == ["USD", "KRW", nil])
    }

    @Test func `A currency that isn't a code is reported`() throws {
        let lane = #"""
            {"type":"courseSwimlane","id":"lane","value":[{"id":"1","title":"A","price":19.99,"currency":"dollars"},
             {"id":"2","title":"B","price":1}]}
            """#
        let problems = try run(CourseImportTests.payload(lane)).problems
        #expect(problems.map(\.reason).contains { $0.hasSuffix("a code of ISO 4217 such as USD, not 'dollars'") })
    }

    @Test func `Every type becomes a section`() throws {
        let report = try run(
            CourseImportTests.payload(
                #"{"type":"mainBanner","id":"s1","value":{"id":"i","imageLink":"b.jpg","title":"T","caption":"C"}}"#,
                #"{"type":"textHeader","id":"s2","value":{"id":"i","text":"New in art","highlightedText":"art"}}"#,
                #"{"type":"textHeader","id":"s3","value":{"id":"i","text":"All"}}"#,
                #"""
                {"type":"courseSwimlane","id":"s4","value":[{"id":"c","imageLink":"c.jpg","title":"Ink","author":"Ada",
                 "rating":4.5,"reviewCount":113,"price":39.99,"tag":"New"}]}
                """#,
                #"{"type":"categories","id":"s5","value":{"id":"i","titles":["a","b"]}}"#,
                #"{"type":"featuredCourse","id":"s6","value":{"id":"c","title":"Ink","price":0.1,"tag":"New"}}"#,
                #"{"type":"udemyBusinessBanner","id":"s7","value":{"id":"i","link":"https://example.com/"}}"#))
        #expect(report.imported == 7)
        #expect(report.problems == [])
        let page = try #require(try store.pages().first)
        #expect(page.sections.map(\.id) == (1...7).map { "s\($0)" })

        var banner = BannerContent(title: "T")
        banner.caption = "C"
        banner.image = ImageReference(name: "b.jpg")
        #expect(try items(0) == [ShelfItem(id: "i", content: .banner(banner))])
        let action = ScreenAction(id: "open", title: "art")
        #expect(
            try items(1).map(\.content) == [.text(TextContent(text: "New in art", highlighted: "art", action: action))])
        #expect(try items(2).map(\.content) == [.text(TextContent(text: "All"))])
        var course = CourseContent(title: "Ink")
        course.author = "Ada"
        course.rating = 4.5
        course.reviews = 113
        course.price = "39.99"
        course.tag = "New"
        course.image = ImageReference(name: "c.jpg")
        #expect(try items(3).map(\.content) == [.course(course)])
        #expect(try items(4).map(\.content) == [.categories(["a", "b"])])
        var featured = CourseContent(title: "Ink")
        featured.price = "0.1"
        #expect(try items(5).map(\.content) == [.course(featured)], "a featured course has no tag")
        var business = BannerContent(title: "")
        business.link = "https://example.com/"
        #expect(try items(6).map(\.content) == [.banner(business)])
    }

    @Test func `An unknown type is kept unchanged`() throws {
        let report = try run(
            CourseImportTests.payload(
                #"{"type":"countdown","id":"s1","value":{"id":"c1","until":{"day":3},"price":19.99,"on":true,"x":null}}"#,
                #"{"type":"spacer","id":"s2","value":[1,"two"]}"#))
        #expect(report.imported == 2)
        #expect(
            try items(0) == [
                ShelfItem(
                    id: "c1",
                    content: .other(
                        type: "countdown", value: #"{"id":"c1","on":true,"price":19.99,"until":{"day":3},"x":null}"#))
            ])
        #expect(try items(1) == [ShelfItem(id: "spacer", content: .other(type: "spacer", value: #"[1,"two"]"#))])
    }

    @Test func `Members that aren't imported are reported`() throws {
        let report = try run(
            CourseImportTests.payload(
                #"{"type":"featuredCourse","id":"s1","value":{"id":"c","title":"Ink","titles":["a"],"reviewCout":3}}"#))
        #expect(report.imported == 1)
        let file = "\(folder.path)/home.json: layout 1 (featuredCourse s1): "
        #expect(
            report.notes.map { $0.description.replacing(file, with: "") } == [
                "'reviewCout' is not imported; did you mean 'reviewCount'?", "'titles' is not imported",
            ])
    }

    @Test func `Ids of sections and items are separate namespaces`() throws {
        let course = #"{"id":"same","title":"Ink"}"#
        _ = try run(
            CourseImportTests.payload(
                #"{"type":"featuredCourse","id":"same","value":\#(course)}"#,
                #"{"type":"courseSwimlane","id":"same","value":[\#(course),\#(course)]}"#))
        let page = try #require(try store.pages().first)
        #expect(page.sections.map(\.id) == ["same", "same-2"])
        #expect(try items(0).map(\.id) == ["same"])
        #expect(try items(1).map(\.id) == ["same", "same-2"])
    }

    @Test func `Mistakes are named by layout and item`() throws {
        let report = try run(
            CourseImportTests.payload(
                #"{"type":"mainBanner","id":"ok","value":{"id":"i","title":"T"}}"#,
                #"{"id":"x","value":{}}"#, #"{"type":"textHeader","value":{}}"#, #"{"type":"textHeader","id":"y"}"#,
                #"{"type":"courseSwimlane","id":"z","value":{}}"#,
                #"""
                {"type":"courseSwimlane","id":"lane","value":[{"id":"1","title":"A","price":"cheap"},{"id":"2"},
                 {"id":"3","title":"C","reviewCount":-1},{"title":"D"},{"id":"5","title":"E","price":-5},
                 {"id":"6","title":"F","price":"12.50"}]}
                """#))
        let file = "\(folder.path)/home.json: "
        #expect(
            report.problems.map { $0.description.replacing(file, with: "") } == [
                "layout 2 (x): 'type' is missing", "layout 3 (textHeader): 'id' is missing",
                "layout 4 (textHeader y): 'value' is missing",
                "layout 5 (courseSwimlane z): 'value' is not a list of courses",
                "layout 6 (courseSwimlane lane), item 1: 'price' is not a number but 'cheap'",
                "layout 6 (courseSwimlane lane), item 2: 'title' is missing",
                "layout 6 (courseSwimlane lane), item 3: 'reviewCount' is not a whole number in its range",
                "layout 6 (courseSwimlane lane), item 4: 'id' is missing",
                "layout 6 (courseSwimlane lane), item 5: the price is a decimal number such as 19.99, not '-5'",
            ])
        guard case .course(let course)? = try items(1).first?.content else {
            Issue.record("the good course should be kept")
            return
        }
        #expect(course.price == "12.50")
    }

    @Test func `Anything but a payload is an error and changes nothing`() throws {
        for text in [
            "", "[]", "{}", #"{"status":200,"layouts":{}}"#, #"{"status":500,"layouts":[]}"#, "{\"layouts\":[]}",
        ] {
            let error = #expect(throws: ImportError.self) { try run(text) }
            #expect(error?.code == .malformed)
        }
        #expect(try store.catalogueHead().revision == 0)
    }
}
