import Foundation
import MarqueeImport
import MarqueeScreens
import MarqueeTypes

/// The folder that the files of a scaffold are written to.
struct ScaffoldFolder {
    let path: String

    private static let names = [ScaffoldFiles.typesName, ScaffoldFiles.sourceName, ScaffoldFiles.programmeName]

    /// - Throws: if a file exists already.
    func checkRoom() throws(CommandFailure) {
        let there = Self.names.filter { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
        guard there.isEmpty else {
            throw CommandFailure(
                .cannotCreate,
                "\(path) has \(there.joined(separator: " and ")) already; name another folder with --into, or overwrite "
                    + "\(there.count == 1 ? "it" : "them") with --force")
        }
    }

    func write(_ files: ScaffoldFiles) throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for file in files.all {
                try file.text.write(toFile: "\(path)/\(file.name)", atomically: true, encoding: .utf8)
            }
        } catch {
            throw CommandFailure(.cannotCreate, "\(path) can't be written to: \(error.localizedDescription)")
        }
    }

    /// Checks the files as `check` and `import source` do.
    /// - Throws: `CommandFailure` with every mistake; each is a bug in this program.
    static func check(_ files: ScaffoldFiles) throws(CommandFailure) {
        do throws(FileMistakes) {
            let types = try TypeSet(files.types, file: ScaffoldFiles.typesName, descriptors: [])
            _ = try SourceFile(yaml: files.source, file: ScaffoldFiles.sourceName)
            _ = try Programme.check(text: files.programme, file: ScaffoldFiles.programmeName, types: types)
        } catch {
            throw CommandFailure(
                .badData,
                "no files can be made of this source; name fewer tables, or rename what the lines above are about",
                details: error.mistakes.map(\.description))
        }
    }
}
