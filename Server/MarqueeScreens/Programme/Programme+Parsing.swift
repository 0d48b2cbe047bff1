package import MarqueeTypes

extension Programme {
    /// Reads a programme file.
    ///
    /// - Parameters:
    ///   - text: the file's content, YAML.
    ///   - file: the file's name, for messages.
    ///   - types: the types of records that the programme may name.
    /// - Throws: every mistake found, up to `FileMistakes.limit`.
    package static func parse(
        text: String, file: String, types: TypeSet? = nil
    ) throws(FileMistakes) -> Programme {
        try check(text: text, file: file, types: types).programme
    }

    /// Reads a programme file. Also returns warnings about mistakes that aren't errors, and the programme's references
    /// to the catalogue.
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
        return (programme, reader.warnings.listed, reader.references)
    }
}
