import MarqueeTypes

/// How the cells of a file are read, as far as its mapping says.
struct CellRules {
    /// The separators between the values of lists, by field.
    var separators: [String: String] = [:]
    /// How times are written, by field.
    var times: [String: TimeFormat] = [:]
    /// The zone of times without one.
    var zone: ImportZone?
    /// How numbers are written in texts.
    var decimal: DecimalMark
    /// Texts and numbers that count as no value, by field.
    var unknowns: [String: Set<String>] = [:]

    init(zone: ImportZone?, decimal: DecimalMark) { (self.zone, self.decimal) = (zone, decimal) }

    func reader(of path: FieldPath) -> CellReader {
        CellReader(
            path: path, separator: separators[path.text], times: times[path.text], zone: zone, decimal: decimal,
            unknowns: unknowns[path.text] ?? [])
    }

    /// - Parameter path: the path of a field within the messages of a list.
    func reader(ofElement path: FieldPath) -> CellReader { CellReader(path: path, zone: zone, decimal: decimal) }
}
