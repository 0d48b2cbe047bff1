import Foundation

/// Rows under a headline, columns aligned to the right but for the first.
package struct Table {
    private let title: String
    private var rows: [[String]]

    package init(_ title: String, columns: [String]) {
        self.title = title
        rows = [columns]
    }

    package mutating func add(_ row: [String]) { rows.append(row) }

    package func print() {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        Swift.print("\n\(title)\n")
        for row in rows {
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + space : space + row[column]
            }
            Swift.print("  " + cells.joined(separator: "  "))
        }
        Swift.print("")
        fflush(nil)
        record()
    }

    /// Appends the table as a line of JSON to the file that `MARQUEE_BENCH_TABLES` names: `make bench` keeps it.
    private func record() {
        guard let path = ProcessInfo.processInfo.environment["MARQUEE_BENCH_TABLES"], !path.isEmpty else { return }
        let table: [String: Any] = ["title": title, "columns": rows[0], "rows": Array(rows.dropFirst())]
        guard var line = try? JSONSerialization.data(withJSONObject: table, options: .sortedKeys),
            let file = fopen(path, "a")
        else { return progress("\(path) can't be written") }
        line.append(UInt8(ascii: "\n"))
        _ = line.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        fclose(file)
    }
}

/// Says on standard error what is being done: tables come when all their rows are known.
package func progress(_ text: String) {
    FileHandle.standardError.write(Data("… \(text)\n".utf8))
}

package func decimal(_ number: Double, _ digits: Int = 1) -> String { String(format: "%.\(digits)f", number) }

/// With commas between thousands.
package func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
        if place > 0, (digits.count - place).isMultiple(of: 3) { text += "," }
        text.append(digit)
    }
    return text
}
