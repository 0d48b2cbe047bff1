package import Foundation

/// A copy of the sources with mutants planted in it. Only differences are written, so that its build can be reused next
/// time.
package struct PlantedTree {
    /// Everything that the package's targets are made of, and that tests read. A part that isn't there is left out.
    package static let parts = [
        "Package.swift", "Package.resolved", "Proto", "Sources", "Server", "Client", "Tests", "Tools", "Samples",
        "Docs",
    ]
    /// In the copy, these replace other files.
    private static let substitutes = ["Tests/simulate/Simulate.swift": "Tests/Mutants/Copy/FindMutants.swift"]

    private let root: URL
    private let planting: Planting

    /// - Parameter root: the repository's root.
    package init(root: URL, planting: Planting) {
        self.root = root
        self.planting = planting
    }

    /// Updates a folder to the sources with the mutants planted.
    /// - Returns: how many files were written.
    /// - Throws: `Mutant.Malformed` if a mutant can't be planted.
    @discardableResult
    package func write(to folder: URL) throws -> Int {
        var wanted: Set<String> = [Planting.switchPath]
        var written = try update(folder.appending(path: Planting.switchPath), Data(planting.switchFile.utf8))
        let changed = planting.files
        for path in try Self.parts.flatMap({ try files(at: $0) }) {
            wanted.insert(path)
            let source = root.appending(path: Self.substitutes[path] ?? path)
            var data = try Data(contentsOf: source)
            if changed.contains(path) {
                let outcome = planting.plant(in: path, String(decoding: data, as: UTF8.self))
                if let problem = outcome.problems.first { throw Mutant.Malformed(description: problem) }
                data = Data(outcome.text.utf8)
            }
            written += try update(folder.appending(path: path), data)
        }
        for path in try Self.parts.flatMap({ try files(at: $0, in: folder) }) where !wanted.contains(path) {
            try FileManager.default.removeItem(at: folder.appending(path: path))
        }
        return written
    }

    private func update(_ file: URL, _ data: Data) throws -> Int {
        if FileManager.default.contents(atPath: file.path) == data { return 0 }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return 1
    }

    /// A part's files, relative to the root; empty if the part doesn't exist.
    private func files(at part: String, in folder: URL? = nil) throws -> [String] {
        let place = (folder ?? root).appending(path: part)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder) else { return [] }
        guard isFolder.boolValue else { return [part] }
        return try FileManager.default.subpathsOfDirectory(atPath: place.path).filter { path in
            guard !path.split(separator: "/").contains(".build") else { return false }
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(
                atPath: place.appending(path: path).path, isDirectory: &isFolder)
            return exists && !isFolder.boolValue
        }.map { "\(part)/\($0)" }
    }
}
