package import MarqueeTypes
import Yams

extension Programme {
    /// Reads a programme file.
    ///
    /// - Parameters:
    ///   - text: the content, YAML.
    ///   - file: its name, for messages.
    ///   - types: the types of records that it may name.
    /// - Throws: every problem found, up to `ProgrammeErrors.limit`.
    package static func parse(
        text: String, file: String, types: TypeSet? = nil
    ) throws(ProgrammeErrors) -> Programme {
        try check(text: text, file: file, types: types).programme
    }

    /// Reads a programme file, and also returns warnings for what isn't an error but is probably unintended.
    ///
    /// - Throws: every problem found, up to `ProgrammeErrors.limit`.
    package static func check(
        text: String, file: String, types: TypeSet? = nil
    ) throws(ProgrammeErrors) -> (
        programme: Programme, warnings: [ProgrammeError], references: [ProgrammeReference]
    ) {
        var reader = ProgrammeReader(file: file, types: types)
        guard text.utf8.count <= ProgrammeLimits.fileBytes else {
            reader.report(line: 1, "the file is larger than \(ProgrammeLimits.fileBytes) bytes")
            throw ProgrammeErrors(errors: reader.problems)
        }
        do {
            if let root = try Yams.compose(yaml: text) {
                if let programme = reader.programme(root) {
                    return (programme, reader.warnings.sorted { $0.line < $1.line }, reader.references)
                }
            } else {
                reader.report(line: 1, "the file is empty")
            }
        } catch {
            report(error, text: text, to: &reader)
        }
        throw ProgrammeErrors(errors: reader.problems.sorted { $0.line < $1.line })
    }

    /// Reports what isn't valid YAML.
    private static func report(_ error: any Error, text: String, to reader: inout ProgrammeReader) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            reader.report(line: mark.line, "this isn't YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let keys = duplicates.sorted().map { "'\($0)'" }.joined(separator: ", ")
            reader.report(line: context.mark.line, "this mapping has a duplicate key: \(keys)")
        case .reader(let problem, let offset, _, _):
            let line = text.prefix(offset ?? 0).count { $0.isNewline } + 1
            reader.report(line: line, "this can't be read as YAML: \(problem)")
        default:
            reader.report(line: 1, "this can't be read as YAML")
        }
    }
}
