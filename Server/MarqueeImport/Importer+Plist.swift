import Foundation
import MarqueeModel
import MarqueeStore

extension Importer {
    /// Imports a property list, XML or binary, that is a list of sections: `{sectionType, sectionName, contentItem:
    /// [{description, imageName}]}`.
    ///
    /// It becomes a page whose sections stand in the order of the file; the programme says how each type looks. The
    /// file has no ids: a section is told by its type and name, an item by its section and image, so the same image in
    /// two sections is two items, and a new description is the same item. Keys that are not known are left out and
    /// told, a name or a description may be empty.
    /// - Parameter page: the id of the page.
    /// - Returns: what became of the items. A section or an item that can't be used is reported by its number and name.
    /// - Throws: when the file can't be read, is no such list or has nothing to show, or the store can't write.
    package func plist(file: String, page: String) throws(ImportError) -> ImportReport {
        let source = try self.source(file)
        let bytes = try FileContent.read(source)
        let root: Any
        do {
            root = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
        } catch {
            throw ImportError(.malformed, "\(source.name) is no property list")
        }
        guard let sections = root as? [Any] else {
            throw ImportError(.malformed, "\(source.name) is a property list, but no list of sections")
        }
        var draft = try PageDraft(page: page, file: source.name)
        for (index, section) in sections.enumerated() {
            PlistSection(number: index + 1, value: section).read(into: &draft)
        }
        return try draft.write(to: store)
    }
}

/// A section of a property list.
private struct PlistSection {
    /// From 1.
    let number: Int
    let value: Any

    private var type: Any? { (value as? [String: Any])?["sectionType"] }
    private var name: Any? { (value as? [String: Any])?["sectionName"] }

    /// `section 2 'Popular'`
    private var place: String {
        guard let name = name as? String, !name.isEmpty else { return "section \(number)" }
        return "section \(number) '\(Field.shown(name))'"
    }

    func read(into draft: inout PageDraft) {
        do throws(BadRow) {
            guard let members = value as? [String: Any] else { throw BadRow("it is no dictionary") }
            guard let type = try text("sectionType", in: members), !type.isEmpty else {
                throw BadRow("'sectionType' is missing")
            }
            let name = try text("sectionName", in: members) ?? ""
            tellStrays(members, ["sectionType", "sectionName", "contentItem"], at: place, &draft)
            guard let items = members["contentItem"] else { throw BadRow("'contentItem' is missing") }
            guard let items = items as? [Any] else { throw BadRow("'contentItem' is no list") }
            for (index, item) in items.enumerated() { add(item, number: index + 1, to: &draft) }
            draft.endSection(
                id: "\(type.prefix(16))-\(StableID.hash([type, name]))", type: type, title: name, at: place)
        } catch {
            draft.addBad(error.reason, at: place)
        }
    }

    private func add(_ item: Any, number: Int, to draft: inout PageDraft) {
        let place = "\(place), item \(number)"
        do throws(BadRow) {
            guard let members = item as? [String: Any] else { throw BadRow("it is no dictionary") }
            guard let image = try text("imageName", in: members) else { throw BadRow("'imageName' is missing") }
            let description = try text("description", in: members) ?? ""
            tellStrays(members, ["imageName", "description"], at: place, &draft)
            guard !image.isEmpty || !description.isEmpty else {
                throw BadRow("it has neither an image nor a description")
            }
            var banner = BannerContent(title: "")
            banner.description = description.isEmpty ? nil : description
            banner.image = image.isEmpty ? nil : ImageReference(name: image)
            draft.add(.banner(banner), id: image.isEmpty ? StableID.hash([description]) : image, at: place)
        } catch {
            draft.addBad(error.reason, at: place)
        }
    }

    /// Xcode's editor names a key `New item` until somebody names it otherwise, so a stray one may be somebody's work.
    private func tellStrays(
        _ members: [String: Any], _ known: [String], at place: String, _ draft: inout PageDraft
    ) {
        for key in members.keys.filter({ !known.contains($0) }).sorted() {
            let hint = NearestName.hint(for: key, among: known.filter { members[$0] == nil })
            draft.note("the key '\(Field.shown(key))' is not imported\(hint)", at: place)
        }
    }

    private func text(_ key: String, in members: [String: Any]) throws(BadRow) -> String? {
        guard let value = members[key] else { return nil }
        guard let text = value as? String else { throw BadRow("'\(key)' is no text") }
        return text
    }
}
