import MarqueeCatalogue
import MarqueeModel

extension BoundsCheck {
    mutating func record(_ id: RecordID) {
        if !CatalogueBounds.isIdentifier(id.type, limit: RecordID.maximumTypeLength) {
            fail(
                "the type of a record has 1 to \(RecordID.maximumTypeLength) bytes and no control characters; "
                    + "it is one of the names that the types declare")
        }
        identifier(id.id, "the id of a record", limit: Subject.maximumLength)
        // With a slash between them.
        if id.type.utf8.count + 1 + id.id.utf8.count > Subject.maximumLength {
            fail(
                "'\(id.subject.name.prefix(64))…' is too long: type and id have at most \(Subject.maximumLength - 1) bytes"
            )
        }
    }

    mutating func types(_ types: TypesDocument) {
        text(types.declarations, "the declarations of types", CatalogueBounds.declarations, required: true)
        count(types.descriptors.count, "the descriptor set, in bytes,", CatalogueBounds.descriptors)
    }
}
