import Foundation
import Mutants

/// `plant-mutants FOLDER` copies the sources of the current folder there, with all mutants planted.
@main
enum PlantMutants {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 1, let folder = arguments.first, !folder.hasPrefix("-") else {
            fail("usage: plant-mutants FOLDER; from the repository's root", code: EX_USAGE)
        }
        do {
            let root = URL(filePath: FileManager.default.currentDirectoryPath)
            let mutants = try Mutant.all(in: root)
            let planting = Planting(mutants)
            let problems = planting.problems(in: root)
            guard problems.isEmpty else { fail(problems.joined(separator: "\n"), code: EX_DATAERR) }
            let written = try PlantedTree(root: root, planting: planting).write(to: URL(filePath: folder))
            print("\(mutants.count) mutants planted in \(folder); \(written) files written")
        } catch {
            fail("\(error)", code: EX_IOERR)
        }
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(code)
    }
}
