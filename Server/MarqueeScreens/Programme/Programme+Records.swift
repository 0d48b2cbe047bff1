import MarqueeCatalogue
package import MarqueeModel
package import MarqueeTypes

extension Programme {
    /// The first records of one type, in some order, that meet all conditions.
    package struct RecordQuery: Hashable, Sendable {
        /// A condition on a value that is known only once a screen is shown.
        package struct Group: Hashable, Sendable {
            package enum Value: Hashable, Sendable {
                /// The argument in the screen's name.
                case argument
                /// A field of the screen's record.
                case record(FieldPath)
            }

            package var path: FieldPath
            package var value: Value
        }

        /// A condition on one of the user's collections.
        package struct Membership: Hashable, Sendable {
            package var collection: CollectionName
            /// Whether records have to be in the collection, or must not be.
            package var isIn: Bool
        }

        package var type: String
        package var conditions: [RecordCondition]
        package var membership: Membership?
        package var group: Group?
        /// Excluded records.
        package var excluded: [RecordReference]
        /// `nil` for the order chosen by the subscriber, or by id if there is none.
        package var sort: RecordSort?
        package var limit: Int
    }

    /// Names a record of a known type.
    package enum RecordReference: Hashable, Sendable {
        /// The record in the screen's name.
        case argument
        case fixed(String)
    }

    /// The messages in repeated fields of one record, field by field. All have the same message type.
    package struct NestedQuery: Hashable, Sendable {
        package struct Field: Hashable, Sendable {
            package var path: FieldPath
            /// Each decides between messages that are equal in all before it; empty for the messages' own order.
            package var sorts: [NestedSort] = []
            /// `nil` for all.
            package var limit: Int?
        }

        package var type: String
        package var id: RecordReference
        package var fields: [Field]
        /// The field that identifies a message among the others; `nil` to use its position.
        package var key: RecordField?
        /// The reference to the record that a message is about.
        package var subject: TypeDeclaration.Reference?
        package var limit: Int
    }

    /// Values of a facet: either given ones or the most frequent ones.
    package struct FacetQuery: Hashable, Sendable {
        /// An order of tiles.
        package enum Order: Hashable, Sendable {
            /// By the values themselves.
            case name
            /// By a field of the records that the values identify, or of the records that a way leads to from those.
            case record(RecordSort, by: RecordValue.Way)
        }

        package var type: String
        package var path: FieldPath
        /// The conditions on the records that are counted.
        package var conditions: [RecordCondition] = []
        /// The type of the records that the values identify, if the field is a reference.
        package var referred: String?
        /// The given values in display order, each once; `nil` for the most frequent ones.
        package var values: [FieldValue]?
        /// The order of the tiles that are shown; `nil` for the given one, or the most frequent values first.
        package var order: Order?
        /// Whether a frequent value that identifies no record has no tile. A given value never has one in that case.
        package var leavesOutMissing = false
        /// The order whose first record represents a value; `nil` for the order of ids.
        package var sort: RecordSort?
        package var limit: Int

        /// - Parameter locales: in order of preference.
        func family(locales: [String]) -> RecordFamily {
            RecordFamily(type: type, conditions: conditions, group: path, sort: sort?.shown(in: locales))
        }
    }

    /// The first entries of a list.
    package struct ListQuery: Hashable, Sendable {
        /// The list's name, or the part before its slash.
        package var list: String
        /// Whether the rest of the list's name is the screen's argument.
        package var isOfArgument: Bool
        /// `nil` for the current edition, or for a list without editions.
        package var edition: String?
        /// Whether to show the current edition.
        package var showsEdition: Bool
        package var limit: Int

        /// The name under which the types declare the list.
        var declared: String { ListName(list).declared }
    }

    /// The locales in which texts of records are looked up, in order of preference.
    func preference(for locale: String) -> [String] { [String](preferring: locale, before: locales.first ?? "en") }

    /// The families of orders that the programme's screens need.
    var recordFamilies: Set<RecordFamily> {
        var families = counted.union(countdowns)
        for screen in screens {
            // The example in a screen's description is the first record by id.
            if case .record(let type)? = screen.argument { families.insert(RecordFamily(type: type)) }
            for section in screen.allSections {
                let query: RecordQuery
                switch section.source {
                // The members of a collection need no order, but time may decide about them.
                case .records(let found)
                where found.membership?.isIn == true && found.conditions.movingBounds(of: found.type).isEmpty:
                    continue
                case .records(let found), .recordPool(_, let found): query = found
                case .facet(let facet) where facet.values != nil:
                    families.formUnion(locales.map { facet.family(locales: preference(for: $0)) })
                    continue
                default: continue
                }
                let sorts = query.sort.map { [$0] } ?? section.sorts.map(\.order)
                for sort in sorts.isEmpty ? [nil] : sorts.map(Optional.some) {
                    families.formUnion(locales.map { query.family(sort: sort?.shown(in: preference(for: $0))) })
                }
            }
        }
        return families
    }

    /// The families whose most frequent values the programme's screens show.
    var facetFamilies: Set<RecordFamily> {
        var families: Set<RecordFamily> = []
        for case .facet(let query) in screens.flatMap(\.allSections).map(\.source) where query.values == nil {
            families.formUnion(locales.map { query.family(locales: preference(for: $0)) })
        }
        return families
    }
}
