import Foundation
import MarqueePresentation

/// `marquee-pictures`, the program that draws pictures.
///
/// It is a program of its own so that this one needs no drawing libraries, and because it reads image files.
struct PictureProgram {
    private let url: URL

    /// Looks beside this program, then in PATH.
    /// - Throws: `Failure` that says how to get it.
    static func find() throws -> PictureProgram {
        let own = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        let beside = own.resolvingSymlinksInPath().deletingLastPathComponent()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        // Packages keep it among programs that people don't run directly. An empty entry of PATH would be the current
        // folder.
        let packaged = beside.deletingLastPathComponent().appending(path: "lib/marquee")
        let folders = [beside, packaged] + path.split(separator: ":").map { URL(filePath: String($0)) }
        let files = folders.map { $0.appending(path: Drawing.program) }
        guard let file = files.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            throw Failure(
                .noInput,
                "pictures are drawn by \(Drawing.program), which is neither in \(beside.path) nor in PATH; "
                    + "`make marquee-pictures` builds it, and -o FILE.txt needs no other program")
        }
        return PictureProgram(url: file)
    }

    /// - Returns: the contents of the picture's file.
    /// - Throws: `Failure`, with the program's own words.
    func draw(_ drawing: Drawing) async throws -> Data {
        // In a file rather than a pipe: the program may end before it has read all of it.
        let file = FileManager.default.temporaryDirectory.appending(path: "marquee-drawing-\(UUID().uuidString).json")
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: try JSONEncoder().encode(drawing), attributes: [.posixPermissions: 0o600])
        else { throw Failure(.ioError, "can't write \(file.path)") }
        let process = Process()
        process.executableURL = url
        process.standardInput = try FileHandle(forReadingFrom: file)
        // Stays readable until it is closed, and leaves nothing behind however this program ends.
        try FileManager.default.removeItem(at: file)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch {
            throw Failure(.ioError, "can't run \(url.path): \(error.localizedDescription)")
        }
        let picture = try output.fileHandleForReading.readToEnd() ?? Data()
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let reason =
                said.split(separator: "\n").last.map(String.init) ?? "it ended with \(process.terminationStatus)"
            throw Failure(ProgramExit(rawValue: process.terminationStatus) ?? .ioError, reason)
        }
        return picture
    }
}
