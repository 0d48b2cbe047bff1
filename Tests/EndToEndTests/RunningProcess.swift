import Foundation

/// A program of this package as a process of its own. What it says goes to files, so that nothing is lost when it is killed and no thread waits for
/// a pipe. It is killed, by its id, when it is forgotten.
final class RunningProcess: Sendable {
    /// The folder of the built executables: this test's own.
    static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    private let process = Process()
    private let outputFile: URL
    private let errorFile: URL

    /// - Parameters:
    ///   - folder: for what it says, and its home.
    ///   - input: the file that it reads; nothing by default.
    init(_ program: String, _ arguments: [String], in folder: URL, input: URL? = nil) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = "\(program)-\(UUID().uuidString)"
        outputFile = folder.appending(path: "\(name).out")
        errorFile = folder.appending(path: "\(name).err")
        for file in [outputFile, errorFile] { try Data().write(to: file) }
        process.executableURL = Self.products.appending(path: program)
        process.arguments = arguments
        process.environment = ["XDG_STATE_HOME": folder.path, "PATH": "/usr/bin:/bin", "HOME": folder.path]
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
        try process.run()
    }

    deinit {
        signal(SIGKILL)
        for file in [outputFile, errorFile] { try? FileManager.default.removeItem(at: file) }
    }

    var id: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    /// What it has said so far.
    var output: String { Self.text(outputFile) }
    var errors: String { Self.text(errorFile) }

    private static func text(_ file: URL) -> String {
        String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
    }

    /// Waits until a whole line of the output contains the text.
    func line(with wanted: String) async throws -> String {
        var found: String?
        try await eventually("the line '\(wanted)'; it said: \(output)\(errors)") {
            let hasEnded = !isRunning
            let text = output
            found = text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].split(separator: "\n")
                .first { $0.contains(wanted) }.map(String.init)
            if found == nil, hasEnded { throw Overdue(description: "it ended without '\(wanted)': \(text)\(errors)") }
            return found != nil
        }
        return found ?? ""
    }

    /// Waits for the end.
    /// - Returns: the exit status; `nil` when a signal ended it.
    @discardableResult
    func ended(within limit: Duration = .seconds(120)) async throws -> Int32? {
        try await eventually("the end of process \(id); it said: \(output)\(errors)", within: limit) { !isRunning }
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }

    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// Sends a signal and waits for the end.
    @discardableResult
    func stop(_ number: Int32) async throws -> Int32? {
        signal(number)
        return try await ended()
    }
}
