import ArgumentParser
import MarqueeImport

/// What all imports have in common.
struct ImportOptions: ParsableArguments {
    @OptionGroup var data: DataOptions

    @Flag(help: "Import all rows or none: the same as --max-bad 0.")
    var strict = false

    @Option(
        name: .customLong("max-bad"),
        help: ArgumentHelp(
            """
            How many rows may be unusable: a number, or a share such as 5%. With more, nothing is imported. (default: \
            50% of data sets and charts; none of pages and changes)
            """, valueName: "n|p%"),
        transform: { text in
            guard let tolerance = ImportTolerance(text) else {
                throw ValidationError("--max-bad is a number of rows such as 20, or a share of all such as 5%")
            }
            return tolerance
        })
    var maxBad: ImportTolerance?

    @Flag(name: .customLong("dry-run"), help: "Say what would be imported, and change nothing.")
    var isDryRun = false

    @Option(
        help: ArgumentHelp(
            """
            How text in the files is encoded: utf-8, euc-kr, cp949, utf-16le, latin1 or another that 'iconv -l' lists. \
            (default: what a byte order mark says, else utf-8)
            """, valueName: "name"),
        transform: { text in
            guard let encoding = TextEncoding(text) else {
                throw ValidationError("'\(text)' is no known encoding; some are utf-8, euc-kr, cp949, utf-16le, latin1")
            }
            return encoding
        })
    var encoding: TextEncoding?

    func validate() throws {
        if strict, maxBad != nil { throw ValidationError("--strict and --max-bad exclude each other") }
    }

    /// - Parameter standard: where the user says nothing.
    func tolerance(_ standard: ImportTolerance) -> ImportTolerance { strict ? .none : maxBad ?? standard }
}
