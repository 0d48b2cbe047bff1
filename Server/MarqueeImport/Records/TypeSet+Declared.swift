import MarqueeModel
import MarqueeTypes

extension TypeSet {
    /// The type that rows are to become records of.
    /// - Throws: `malformed`, with the nearest name, if there is none of this name.
    func declared(_ alias: String) throws(ImportError) -> TypeDeclaration {
        if let type = type(alias) { return type }
        let known = types.map(\.alias)
        throw ImportError(
            .malformed,
            "there is no type '\(Field.shown(alias))'\(NearestName.hint(for: alias, among: known)); the declared types "
                + "are \(known.joined(separator: ", "))")
    }
}
