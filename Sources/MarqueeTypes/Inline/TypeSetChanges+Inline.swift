/// Inline fields get their numbers from their positions, so moving, removing or renaming one in the file could silently
/// give it another field's stored values. Therefore a name must keep its number, and a number its name.
extension TypeSet {
    func compareInlineFields(
        of type: TypeDeclaration, with next: TypeSet, _ changes: inout TypeSetChanges
    ) {
        guard let old = inline?.message(of: type.alias), let new = next.inline?.message(of: type.alias) else { return }
        for field in old.fields {
            let place = "\(type.alias).\(field.name)"
            let holder = new.fields.first { $0.number == field.number }
            if let same = new.fields.first(where: { $0.name == field.name }) {
                guard same.number != field.number else { continue }
                changes.incompatible.append(
                    "\(place) had the number \(field.number) and has \(same.number) now: keep the order of fields, with new "
                        + "ones at the end, or write '\(field.name): \(same.words) = \(field.number)'")
            } else if let holder {
                // A dropped field no longer holds values under its name, but its number stays taken.
                guard !holder.isNumbered || field.type == nil || holder.type == nil else { continue }
                changes.incompatible.append(
                    "\(type.alias).\(holder.name) would take the stored values of \(place), number \(field.number): if "
                        + "that is its new name, write '\(holder.name): \(holder.words) = \(field.number)'; if it is "
                        + "gone, keep its line as '\(field.name): dropped'")
            } else {
                changes.incompatible.append(
                    "\(place) is gone from the file, but records keep its values: leave its line, as '\(field.name): "
                        + "dropped', so that no other field gets its number")
            }
        }
    }
}

extension InlineSchema.Field {
    /// Its type, as it is written in a declaration.
    fileprivate var words: String { type?.words ?? "dropped" }
}
