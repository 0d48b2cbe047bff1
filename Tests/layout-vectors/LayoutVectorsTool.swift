import Foundation
import LayoutVectors

/// Prints random layouts with the engine's frames, one case to a line, and writes the files of vectors.
///
///     layout-vectors random FIRST-SEED COUNT
///     layout-vectors sample FILE COUNT
///     layout-vectors answer FILE…
@main
enum LayoutVectorsTool {
    private static let usage = """
        usage: layout-vectors random FIRST-SEED COUNT   prints random cases, one to a line
               layout-vectors sample FILE COUNT         writes a file of random cases that are small
               layout-vectors answer FILE…              writes the engine's present answers into files

        """
    /// Bytes of a case that is kept in a file.
    private static let smallCase = 2_000

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("random", 3):
            guard let first = UInt64(arguments[1]), let count = UInt64(arguments[2]) else { return fail() }
            try printRandom(from: first, count: count)
        case ("sample", 3):
            guard let count = Int(arguments[2]) else { return fail() }
            try sample(count, to: arguments[1])
        case ("answer", 2...):
            for path in arguments.dropFirst() { try answer(path) }
        default:
            fail()
        }
    }

    private static func fail() {
        FileHandle.standardError.write(Data(usage.utf8))
        exit(64)
    }

    private static func printRandom(from first: UInt64, count: UInt64) throws {
        let encoder = LayoutFile.encoder()
        for index in 0..<count {
            var line = try encoder.encode(RandomCases.layoutCase(seed: first &+ index).answered())
            line.append(UInt8(ascii: "\n"))
            try FileHandle.standardOutput.write(contentsOf: line)
        }
    }

    /// Writes the cases of the first seeds whose cases are small.
    private static func sample(_ count: Int, to path: String) throws {
        let encoder = LayoutFile.encoder()
        var lines: [String] = []
        var seed: UInt64 = 0
        while lines.count < count {
            seed += 1
            let line = try encoder.encode(RandomCases.layoutCase(seed: seed).answered())
            if line.count <= smallCase { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        try write(lines, to: path)
    }

    /// Writes a file's cases again, with the answers that the engine gives now.
    private static func answer(_ path: String) throws {
        let data = try Data(contentsOf: URL(filePath: path))
        let file = try LayoutFile.decoder().decode(LayoutFile.self, from: data)
        let encoder = LayoutFile.encoder()
        try write(file.cases.map { String(decoding: try encoder.encode($0.answered()), as: UTF8.self) }, to: path)
    }

    /// One case to a line.
    private static func write(_ lines: [String], to path: String) throws {
        try Data("{\"cases\":[\n\(lines.joined(separator: ",\n"))\n]}\n".utf8).write(to: URL(filePath: path))
    }
}
