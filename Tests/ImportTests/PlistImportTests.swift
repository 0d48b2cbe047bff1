import Foundation
import MarqueeCatalogue
import MarqueeImport
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import MarqueeStore
import PresetSupport
import Testing

/// Pages imported from property lists.
@Suite struct PlistImportTests {
    private let folder: ImportFolder
    private let store = MemoryStore()

    init() throws { folder = try ImportFolder() }

    private func run(_ sections: Any, page: String = "home", binary: Bool = false) throws -> ImportReport {
        let data = try PropertyListSerialization.data(
            fromPropertyList: sections, format: binary ? .binary : .xml, options: 0)
        return try Importer(store: store).plist(file: try folder.file("Content.plist", data), page: page)
    }

    private static func section(
        _ type: String, _ name: String, _ items: [(image: String, description: String)]
    ) -> [String: Any] {
        [
            "sectionType": type, "sectionName": name,
            "contentItem": items.map { ["imageName": $0.image, "description": $0.description] },
        ]
    }

    private static var home: [[String: Any]] {
        [
            section("main", "", [("a.jpg", "One"), ("b.jpg", "Two")]),
            section("basic", "New", [("a.jpg", "The same picture"), ("c.jpg", "")]),
            section("rank", "Today", [("b.jpg", "First")]),
        ]
    }

    @Test(arguments: [false, true])
    func `Sections come in file order with their types, names and items`(binary: Bool) throws {
        let report = try run(PlistImportTests.home, binary: binary)
        #expect(report.rows == 5)
        #expect(report.imported == 5)
        #expect(report.problems == [])
        let page = try #require(try store.pages().first)
        #expect(page.id == "home")
        #expect(page.sections.map(\.type) == ["main", "basic", "rank"])
        #expect(page.sections.map(\.title) == ["", "New", "Today"])
        let items = try page.sections.map { try #require(try store.shelf($0.list)).items }
        #expect(items.map { $0.map(\.id) } == [["a.jpg", "b.jpg"], ["a.jpg", "c.jpg"], ["b.jpg"]])
        var same = BannerContent(title: "")
        same.description = "The same picture"
        same.image = ImageReference(name: "a.jpg")
        #expect(items[1][0].content == .banner(same))
    }

    @Test func `Derived ids stay when sections move and descriptions change`() throws {
        _ = try run(PlistImportTests.home)
        let before = try #require(try store.pages().first).sections
        let changed = [
            PlistImportTests.section("rank", "Today", [("z.jpg", "New at the top"), ("b.jpg", "Another text")]),
            PlistImportTests.home[0], PlistImportTests.home[1],
        ]
        _ = try run(changed)
        let after = try #require(try store.pages().first).sections
        #expect(after.map(\.id) == [before[2].id, before[0].id, before[1].id])
        #expect(try store.shelf(after[0].list)?.items.map(\.id) == ["z.jpg", "b.jpg"])
        let head = try store.catalogueHead()
        #expect(try run(changed).unchanged == 6)
        #expect(try store.catalogueHead() == head)
    }

    @Test func `Repeated ids are numbered`() throws {
        let twin = PlistImportTests.section("basic", "", [("a.jpg", "1"), ("a.jpg", "2")])
        _ = try run([twin, twin])
        let sections = try #require(try store.pages().first).sections
        #expect(sections[1].id == "\(sections[0].id)-2")
        #expect(try store.shelf(sections[1].list)?.items.map(\.id) == ["a.jpg", "a.jpg-2"])
    }

    @Test func `Stray keys are reported, and unknown types and empty names survive`() throws {
        var section = PlistImportTests.section("trailer", "", [("a.jpg", ""), ("", "Text alone")])
        section["headerHeight"] = 44
        section["contentItem"] =
            try #require(section["contentItem"] as? [[String: Any]]).map { $0.merging(["rating": 5]) { $1 } }
        section["New item"] = "somebody's text"
        section["sectionNam"] = "Trailers"
        section["sectionName"] = nil
        let report = try run([section])
        #expect(report.imported == 2)
        #expect(report.bad == 0)
        let file = "\(folder.path)/Content.plist: "
        #expect(
            report.notes.map { $0.description.replacing(file, with: "") } == [
                "section 1: 'sectionName' is missing; the section has no name",
                "section 1: the key 'New item' is not imported", "section 1: the key 'headerHeight' is not imported",
                "section 1: the key 'sectionNam' is not imported; did you mean 'sectionName'?",
                "section 1, item 1: the key 'rating' is not imported",
                "section 1, item 2: the key 'rating' is not imported",
            ])
        let page = try #require(try store.pages().first)
        #expect(page.sections.map(\.type) == ["trailer"])
        let items = try #require(try store.shelf(page.sections[0].list)).items
        #expect(items.count == 2)
        guard case .banner(let banner) = items[1].content else {
            Issue.record("a property list item should be a banner")
            return
        }
        #expect(banner.image == nil)
        #expect(banner.description == "Text alone")
    }

    @Test func `Mistakes are named by section and item`() throws {
        let report = try run([
            PlistImportTests.home[0], ["sectionName": "No type", "contentItem": []],
            ["sectionType": "basic", "sectionName": "No items"],
            ["sectionType": "basic", "sectionName": "Empty", "contentItem": []],
            [
                "sectionType": "basic", "sectionName": "Mixed",
                "contentItem": [["imageName": "a.jpg"], ["description": "x"], 7, ["imageName": 5], ["imageName": ""]],
            ] as [String: Any],
            "nonsense",
        ])
        let file = "\(folder.path)/Content.plist: "
        #expect(
            report.problems.map { $0.description.replacing(file, with: "") } == [
                "section 2 'No type': 'sectionType' is missing",
                "section 3 'No items': 'contentItem' is missing",
                "section 4 'Empty': the section has no item that can be shown",
                "section 5 'Mixed', item 2: 'imageName' is missing",
                "section 5 'Mixed', item 3: it is not a dictionary",
                "section 5 'Mixed', item 4: 'imageName' is not text",
                "section 5 'Mixed', item 5: it has neither an image nor a description",
                "section 6: it is not a dictionary",
            ])
        #expect(try store.pages().first?.sections.count == 2)
    }

    @Test func `A file with nothing to show is an error and changes nothing`() throws {
        for value in [[], [["sectionType": "main", "contentItem": []]], ["sectionType": "main"]] as [Any] {
            let error = #expect(throws: ImportError.self) { try run(value) }
            #expect(error?.code == .malformed)
        }
        let text = try folder.file("x.plist", "nonsense {")
        #expect(throws: ImportError.self) { try Importer(store: store).plist(file: text, page: "home") }
        #expect(throws: ImportError.self) { try Importer(store: store).plist(file: "/nowhere", page: "home") }
        #expect(throws: ImportError.self) { try run(PlistImportTests.home, page: "a/b") }
        #expect(try store.catalogueHead().revision == 0)
    }

    @Test func `A removed section leaves an empty shelf`() throws {
        _ = try run(PlistImportTests.home)
        let gone = try #require(try store.pages().first).sections[2]
        _ = try run(Array(PlistImportTests.home.prefix(2)))
        #expect(try store.pages().first?.sections.count == 2)
        #expect(try store.shelf(gone.list) == nil)
        #expect(
            try !store.allChanges().contains {
                if case .put(let id, _) = $0 { id.id.hasPrefix("\(gone.list.dropFirst(6))/") } else { false }
            })
    }
}
