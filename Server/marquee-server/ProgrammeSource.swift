import Foundation
import MarqueeModel
import MarqueeScreens
import MarqueeStore

/// A programme with the text that it was read from.
struct ProgrammeSource {
    /// Bytes read of a file: enough to see that it is longer than a programme may be.
    private static let fileBytes = (1 << 20) + 1

    var text: String
    var programme: Programme
    /// What is no mistake by itself and most likely not meant.
    var warnings: [ProgrammeError]

    /// - Parameters:
    ///   - name: what messages call it.
    ///   - wrong: what a wrong programme ends with.
    init(text: String, name: String, wrong: CommandFailure.Code) throws(CommandFailure) {
        do throws(ProgrammeErrors) {
            (programme, warnings) = try Programme.check(text: text, file: name)
        } catch {
            throw CommandFailure(error, in: name, wrong)
        }
        self.text = text
    }

    /// Reads and checks a file.
    /// - Parameter wrong: what a wrong programme ends with.
    init(file: String, wrong: CommandFailure.Code) throws(CommandFailure) {
        let bytes: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
            bytes = try handle.read(upToCount: ProgrammeSource.fileBytes) ?? Data()
        } catch {
            throw CommandFailure(.noInput, "\(file) can't be read: \(ProgrammeSource.reason(error))")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(wrong, "\(file) is not UTF-8 text")
        }
        try self.init(text: text, name: file, wrong: wrong)
    }

    /// The programme that ships with the server.
    static func builtIn() throws(CommandFailure) -> ProgrammeSource {
        let text = String(decoding: PackageResources.default_programme_yaml, as: UTF8.self)
        return try ProgrammeSource(text: text, name: "the built-in programme", wrong: .configuration)
    }

    /// The programme that the catalogue holds; `nil` when it holds none.
    static func stored(in store: any StoreEngine, folder: String) throws(CommandFailure) -> ProgrammeSource? {
        var text: String?
        do throws(StoreError) {
            _ = try store.snapshot { change in
                if case .programme(let stored) = change { text = stored }
            }
        } catch {
            throw CommandFailure(error, folder: folder)
        }
        guard let text else { return nil }
        do throws(CommandFailure) {
            return try ProgrammeSource(text: text, name: "the programme kept in \(folder)", wrong: .configuration)
        } catch {
            throw CommandFailure(
                error.code, "\(error.message); serve another one with --programme", details: error.details)
        }
    }

    private static func reason(_ error: any Error) -> String {
        let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let posix, posix.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(posix.code)))
    }
}
