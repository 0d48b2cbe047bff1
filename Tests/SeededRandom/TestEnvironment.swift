import Foundation
import MarqueeModel

/// The environment variables of tests.
package enum TestEnvironment {
    /// A variable; `nil` if it is unset or empty.
    package static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a variable is on. One that is neither on nor off ends the tests.
    package static func isOn(_ name: String) -> Bool {
        do throws(FlagVariable.Mistake) {
            return try FlagVariable.isOn(name, in: ProcessInfo.processInfo.environment)
        } catch {
            fatalError(error.description)
        }
    }
}

/// The folder of real input data, named by `MARQUEE_DATA`; it isn't part of the repository.
package enum RealData {
    package static let folder = TestEnvironment.variable("MARQUEE_DATA")
    package static let isPresent = folder != nil
    package static let howToSet = "skipped: MARQUEE_DATA does not name the folder of real data"

    /// A file in the folder, which may be missing: if the folder is named, that is an error and no reason to skip.
    ///
    /// - Throws: `Missing`.
    package static func path(_ name: String) throws -> String {
        let path = (folder ?? "") + "/" + name
        guard folder != nil, FileManager.default.isReadableFile(atPath: path) else { throw Missing(path: path) }
        return path
    }

    package struct Missing: Error, CustomStringConvertible {
        var path: String

        package var description: String { "MARQUEE_DATA is set, but \(path) can't be read" }
    }
}
