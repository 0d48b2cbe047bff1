import MarqueeTypes

/// A field of a type that is to be written.
struct PlannedField: Hashable {
    var name: String
    /// Its name for people.
    var label: String
    /// The name of the column, or the path to a member of its JSON: `address.city`.
    var column: String
    var reading: FieldChoice.Reading
    var profile: ColumnProfile

    var type: InlineFieldType { reading.type }
    var isText: Bool { type == InlineFieldType(.text) || type.form == .byLocale }
    var isNumber: Bool { type == InlineFieldType(.integer) || type == InlineFieldType(.number) }
    var isDay: Bool { type == InlineFieldType(.date) || type == InlineFieldType(.time) }

    /// Whether it is an amount of money, as far as its name says.
    var isMoney: Bool {
        words.contains { ["price", "cost", "amount", "total", "fee", "balance", "revenue"].contains($0) }
    }

    /// The words of its name.
    var words: [String] { name.split(separator: "_").map(String.init) }

    /// The first place in a list of any of its words, else the place of its whole name.
    func rank(in known: [String]) -> Int? {
        words.compactMap { known.firstIndex(of: $0) }.min() ?? known.firstIndex(of: name)
    }
}

/// A type of records that is to be written, with the table that its records come from.
struct PlannedType: Hashable {
    /// A field that holds ids of records of a type.
    struct Reference: Hashable {
        var field: String
        var type: String
    }

    var alias: String
    /// The title for people, usually in the plural like the table's name.
    var title: String
    var table: String
    /// Rows, as far as known.
    var size: Int
    /// The columns of the id.
    var key: [String]
    /// The field that holds the id; `nil` if several columns form it.
    var id: String?
    var fields: [PlannedField]
    var references: [Reference] = []
    /// Columns that become no field.
    var omitted: [String] = []
    var roles = ScaffoldRoles()

    func field(_ name: String) -> PlannedField? { fields.first { $0.name == name } }

    /// The fields of an id that several columns form.
    var keyFields: [PlannedField] { id == nil ? key.compactMap { column in fields.first { $0.column == column } } : [] }

    /// The name of its screens, which can't contain underscores.
    var screen: String { alias.replacing("_", with: "-") }
}
