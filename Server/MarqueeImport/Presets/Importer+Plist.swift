import MarqueeModel
import MarqueePresets
import MarqueeStore

extension Importer {
    /// Imports a property list, XML or binary, that is a list of sections: `{sectionType, sectionName, contentItem:
    /// [{description, imageName}]}`.
    ///
    /// It becomes a page whose sections follow the order of the file; the programme says how each type looks. The file
    /// has no ids: a section is identified by its type and name, an item by its section and image. So the same image in
    /// two sections makes two items, and an item with a new description stays the same item. Unknown keys are left out
    /// and reported, and so is a name or a description that is missing; both may be empty.
    /// - Parameter page: the id of the page.
    /// - Returns: the outcome of the items. A section or an item that can't be used is reported by its number and name.
    /// - Throws: when the file can't be read, is not such a list or has nothing to show, or the store can't write.
    package func plist(file: String, page: String) throws(ImportError) -> ImportReport {
        let source = try self.source(file, isPropertyList: true)
        guard let sections = try PropertyList.read(source).list else {
            throw ImportError(.malformed, "\(source.name) is a property list, but not a list of sections")
        }
        var draft = try PageDraft(page: page, file: source.name, types: try presetTypes())
        for (index, section) in sections.enumerated() {
            PlistSection(number: index + 1, value: section).read(into: &draft)
        }
        return try draft.write(with: self)
    }
}

/// A section of a property list.
private struct PlistSection {
    /// The position in the file, from 1.
    let number: Int
    let value: PropertyList

    /// `section 2 'Popular'`
    private var place: String {
        guard let name = value.members?["sectionName"]?.text, !name.isEmpty else { return "section \(number)" }
        return "section \(number) '\(Field.shown(name))'"
    }

    func read(into draft: inout PageDraft) {
        do throws(BadRow) {
            guard let members = value.members else { throw BadRow("it is not a dictionary") }
            guard let type = try text("sectionType", in: members), !type.isEmpty else {
                throw BadRow("'sectionType' is missing")
            }
            let name = try text("sectionName", in: members) ?? ""
            if members["sectionName"] == nil {
                draft.note("'sectionName' is missing; the section has no name", at: place)
            }
            reportStrays(members, ["sectionType", "sectionName", "contentItem"], at: place, &draft)
            guard let items = members["contentItem"] else { throw BadRow("'contentItem' is missing") }
            guard let items = items.list else { throw BadRow("'contentItem' is not a list") }
            for (index, item) in items.enumerated() { add(item, number: index + 1, to: &draft) }
            draft.endSection(
                id: "\(type.prefix(16))-\(StableID.hash([type, name]))", type: type, title: name, at: place)
        } catch {
            draft.addBad(error.reason, at: place)
        }
    }

    private func add(_ item: PropertyList, number: Int, to draft: inout PageDraft) {
        let place = "\(place), item \(number)"
        do throws(BadRow) {
            guard let members = item.members else { throw BadRow("it is not a dictionary") }
            guard let image = try text("imageName", in: members) else { throw BadRow("'imageName' is missing") }
            let description = try text("description", in: members) ?? ""
            if members["description"] == nil {
                draft.note("'description' is missing; the item has none", at: place)
            }
            reportStrays(members, ["imageName", "description"], at: place, &draft)
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

    /// Xcode's editor calls a new key `New item` until it is renamed, so a stray one may be unfinished work.
    private func reportStrays(
        _ members: [String: PropertyList], _ known: [String], at place: String, _ draft: inout PageDraft
    ) {
        for key in members.keys.filter({ !known.contains($0) }).sorted() {
            let hint = NearestName.hint(for: key, among: known.filter { members[$0] == nil })
            draft.note("the key '\(Field.shown(key))' is not imported\(hint)", at: place)
        }
    }

    private func text(_ key: String, in members: [String: PropertyList]) throws(BadRow) -> String? {
        guard let value = members[key] else { return nil }
        guard let text = value.text else { throw BadRow("'\(key)' is not text") }
        return text
    }
}
