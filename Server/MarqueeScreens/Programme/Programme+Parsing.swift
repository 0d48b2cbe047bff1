package import MarqueeTypes

extension Programme {
    /// Reads a programme file.
    ///
    /// - Parameters:
    ///   - text: the content, YAML.
    ///   - file: its name, for messages.
    ///   - types: the types of records that it may name.
    /// - Throws: every mistake found, up to `FileMistakes.limit`.
    package static func parse(
        text: String, file: String, types: TypeSet? = nil
    ) throws(FileMistakes) -> Programme {
        try check(text: text, file: file, types: types).programme
    }

    /// Reads a programme file, and also returns warnings for what isn't an error but is probably unintended.
    ///
    /// - Throws: every mistake found, up to `FileMistakes.limit`.
    package static func check(
        text: String, file: String, types: TypeSet? = nil
    ) throws(FileMistakes) -> (
        programme: Programme, warnings: [FileMistake], references: [ProgrammeReference]
    ) {
        var reader = ProgrammeReader(file: file, types: types)
        guard let root = reader.root(text, atMost: ProgrammeLimits.fileBytes), let programme = reader.programme(root)
        else { throw reader.error }
        return (programme, reader.warnings.sorted { $0.line < $1.line }, reader.references)
    }
}
