import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import MarqueePresets
import MarqueeStore
import MarqueeTypes

extension Importer {
    /// Imports the payload of a course home: JSON, `{status, layouts: [{type, id, value}]}`.
    ///
    /// It becomes a page whose sections follow the order of the file; the programme says how each type looks. A layout
    /// of an unknown type is kept with its value as JSON.
    /// - Parameters:
    ///   - page: the id of the page.
    ///   - currency: the currency (ISO 4217) of prices for which the payload names none.
    /// - Returns: the outcome of the items. A layout or an item that can't be used is reported by its number, type and
    ///   id.
    /// - Throws: when the file can't be read, is not such a payload or has nothing to show, or the store can't write.
    package func courses(
        file: String, page: String, currency: String? = nil
    ) throws(ImportError) -> ImportReport {
        let source = try self.source(file)
        let payload = try JSONValue.document(source)
        let layouts: [JSONValue]
        do throws(BadRow) {
            if case .object = payload {} else { throw BadRow("an object with 'layouts' is expected") }
            if let status = try payload.numeral("status"), status != "200" {
                throw BadRow("the payload is an answer with status \(status), not 200")
            }
            guard let found = try payload.list("layouts") else { throw BadRow("'layouts' is missing") }
            layouts = found
        } catch {
            throw ImportError(.malformed, "\(source.name): \(error.reason)")
        }
        var draft = try PageDraft(page: page, file: source.name, types: try presetTypes())
        for (index, layout) in layouts.enumerated() {
            CourseLayout(number: index + 1, layout, currency).read(into: &draft)
        }
        draft.link(to: "courseSwimlane", screen: CourseLayout.screen)
        return try draft.write(with: self)
    }
}

/// One layout of a payload.
private struct CourseLayout {
    /// The screen of a section's courses, to which the text above them leads.
    static let screen = "courses"

    /// The position in the payload, from 1.
    let number: Int
    let layout: JSONValue
    /// The currency of prices that name none.
    let currency: String?

    init(number: Int, _ layout: JSONValue, _ currency: String?) {
        self.number = number
        self.layout = layout
        self.currency = currency
    }

    /// `layout 3 (courseSwimlane 8a35e8df)`
    private var place: String {
        let type = (try? layout.text("type")) ?? ""
        let id = (try? layout.text("id")) ?? ""
        let names = [type, id].filter { !$0.isEmpty }.map { Field.shown($0) }.joined(separator: " ")
        return names.isEmpty ? "layout \(number)" : "layout \(number) (\(names))"
    }

    func read(into draft: inout PageDraft) {
        do throws(BadRow) {
            let type = try layout.requiredText("type")
            let id = try layout.requiredText("id")
            guard let value = layout.member("value") else { throw BadRow("'value' is missing") }
            var title = ""
            if type == "courseSwimlane" {
                guard case .list(let courses) = value else { throw BadRow("'value' is not a list of courses") }
                for (index, course) in courses.enumerated() {
                    add(course, type, "\(place), item \(index + 1)", to: &draft)
                }
            } else {
                add(value, type, place, to: &draft)
                if type == "textHeader" { title = try value.text("text") ?? "" }
            }
            draft.endSection(id: id, type: type, title: title, at: place)
        } catch {
            draft.addBad(error.reason, at: place)
        }
    }

    private func add(_ value: JSONValue, _ type: String, _ place: String, to draft: inout PageDraft) {
        do throws(BadRow) {
            let content = try content(of: value, type)
            if type == "featuredCourse", let tag = try value.text("tag"), !tag.isEmpty {
                draft.note(
                    "the tag '\(Field.shown(tag))' is not imported: a featured course is shown without one", at: place)
            }
            if let known = CourseLayout.members[type] {
                for name in value.members(besides: known) {
                    let hint = NearestName.hint(for: name, among: known.filter { value.member($0) == nil }.sorted())
                    draft.note("'\(Field.shown(name))' is not imported\(hint)", at: place)
                }
            }
            let id: String
            if case .other = content {
                id = (try? value.text("id")) ?? type
            } else {
                id = try value.requiredText("id")
            }
            draft.add(content, id: id, at: place)
        } catch {
            draft.addBad(error.reason, at: place)
        }
    }

    /// The members imported for each type; a layout of an unknown type is kept whole.
    private static let members: [String: Set<String>] = {
        let course: Set<String> = [
            "id", "title", "author", "rating", "reviewCount", "price", "currency", "tag", "imageLink",
        ]
        return [
            "mainBanner": ["id", "title", "caption", "imageLink"], "textHeader": ["id", "text", "highlightedText"],
            "courseSwimlane": course, "featuredCourse": course, "categories": ["id", "titles"],
            "udemyBusinessBanner": ["id", "link"],
        ]
    }()

    private func content(of value: JSONValue, _ type: String) throws(BadRow) -> ShelfItem.Content {
        switch type {
        case "mainBanner":
            var banner = BannerContent(title: try value.requiredText("title"))
            banner.caption = try value.text("caption")
            banner.image = try image(of: value)
            return .banner(banner)
        case "textHeader":
            let highlighted = try value.text("highlightedText")
            let action = highlighted.map { ScreenAction(id: "open", title: $0) }
            return .text(
                TextContent(text: try value.requiredText("text"), highlighted: highlighted, action: action))
        case "courseSwimlane": return .course(try course(value))
        case "featuredCourse":
            // A featured course is shown without a tag, but some payloads send one.
            var featured = try course(value)
            featured.tag = nil
            return .course(featured)
        case "categories":
            guard let titles = try value.list("titles") else { throw BadRow("'titles' is missing") }
            var texts: [String] = []
            for title in titles {
                guard case .text(let text) = title else { throw BadRow("'titles' holds something that is not text") }
                texts.append(text)
            }
            return .categories(texts)
        case "udemyBusinessBanner":
            var banner = BannerContent(title: "")
            banner.link = try value.requiredText("link")
            return .banner(banner)
        default: return .other(type: type, value: value.sortedText)
        }
    }

    private func course(_ value: JSONValue) throws(BadRow) -> CourseContent {
        var course = CourseContent(title: try value.requiredText("title"))
        course.author = try value.text("author")
        course.rating = try value.real("rating")
        course.reviews = try value.whole("reviewCount")
        course.price = try value.numeral("price")
        if course.price != nil { course.currency = try value.text("currency") ?? currency }
        course.tag = try value.text("tag")
        course.image = try image(of: value)
        return course
    }

    private func image(of value: JSONValue) throws(BadRow) -> ImageReference? {
        try value.text("imageLink").flatMap { $0.isEmpty ? nil : ImageReference(name: $0) }
    }
}
