package import MarqueeCatalogue
package import MarqueeTypes

/// A member of a change that names a type, record, list or edition, used as the path of mistakes in that name.
enum NamingMember: String {
    case type, record, list, edition
}

extension CommitPlan {
    /// Notes each mistake for which a commit would refuse a change, as far as the types alone can show it. A commit
    /// applies the same rules.
    ///
    /// Documents of types and programmes aren't checked here; the code that reads them does that.
    ///
    /// - Parameter types: the types in force; `nil` if there are none.
    package static func check(_ change: Change, by types: TypeSet?, noting mistakes: inout RecordMistakes) {
        switch change {
        case .chooseEntry, .removeChoice, .page, .removePage, .programme, .types, .time, .source: return
        default: break
        }
        guard let types else { return mistakes.note(RecordError(noTypes)) }
        switch change {
        case .chooseRecord(_, let id): _ = types.declared(id.type, as: .record, noting: &mistakes)
        case .put(let id, let content): _ = types.record(id, content, noting: &mistakes)
        case .merge(let id, let content, let clear, _):
            _ = types.merged(id, content, clear: clear, into: nil, isKnown: false, noting: &mistakes)
        case .remove(let id): _ = types.declared(id.type, noting: &mistakes)
        case .list(let list): _ = types.canonical(list, noting: &mistakes)
        case .listItem(let edit):
            if let entry = edit.entry {
                _ = types.canonical(entry, of: edit.list, isWhole: false, noting: &mistakes)
            } else {
                _ = types.declared(edit.list, noting: &mistakes)
            }
        case .show(let list, let edition):
            _ = types.declared(ListName(list, edition: edition), noting: &mistakes)
        case .removeList(let name): _ = types.declared(name, isWhole: true, noting: &mistakes)
        case .chooseEntry, .removeChoice, .page, .removePage, .programme, .types, .time, .source: break
        }
    }
}
