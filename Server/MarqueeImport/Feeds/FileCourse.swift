import Foundation

/// Decides when files are read again: once they have changed, and have stayed as they are for a while. A value.
package struct FileCourse: Sendable {
    /// A version of a file, as far as it can be told without reading it.
    package struct Stamp: Hashable, Sendable {
        package var bytes: Int64
        /// Nanoseconds since 1970.
        package var modified: Int64
        package var number: UInt64

        package init(bytes: Int64, modified: Int64, number: UInt64) {
            (self.bytes, self.modified, self.number) = (bytes, modified, number)
        }
    }

    /// Between two looks, in milliseconds.
    package static let pause: UInt64 = 250
    /// The most files of a folder.
    package static let files = 10_000

    private let quiet: UInt64
    private var read: [String: Stamp]?
    private var seen: [String: Stamp]?
    private var since: UInt64 = 0

    /// - Parameter quiet: how long they have to stay as they are, in milliseconds.
    package init(quiet: UInt64) { self.quiet = quiet }

    /// Whether to read the files now.
    /// - Parameter found: the files that are there, by their paths.
    package mutating func look(_ found: [String: Stamp], now: UInt64) -> Bool {
        if found != seen { (seen, since) = (found, now) }
        return found != read && now >= since + quiet
    }

    /// The files were read as they were at that look, unless they have changed meanwhile.
    /// - Parameter found: the files after they were read.
    /// - Returns: whether they are still the same, so that what was read is of whole files.
    package mutating func isSame(_ found: [String: Stamp], now: UInt64) -> Bool {
        guard found != seen else { return true }
        (seen, since) = (found, now)
        return false
    }

    /// The catalogue has what was read.
    package mutating func compared() { read = seen }
}

extension FileFeed {
    /// The files that are there, by their paths; `nil` if the file or folder isn't.
    package func found() throws(ImportError) -> [String: FileCourse.Stamp] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw ImportError(.noInput, "\(path) can't be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return [path: FileCourse.Stamp(status)] }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw ImportError(.noInput, "\(path) can't be read: \(error.localizedDescription)")
        }
        var found: [String: FileCourse.Stamp] = [:]
        for name in names where matches(name) {
            let file = (path as NSString).appendingPathComponent(name)
            // One that has just been removed is no file any more.
            guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            found[file] = FileCourse.Stamp(status)
            guard found.count <= FileCourse.files else {
                throw ImportError(
                    .refused, "\(path) has more than \(FileCourse.files) files; name those that count by 'match'")
            }
        }
        return found
    }

    /// The endings of files that programs write before they rename them.
    private static let unfinished = [".tmp", ".part", ".partial", ".crdownload", ".swp", "~"]

    /// Whether a folder's file of that name counts.
    func matches(_ name: String) -> Bool {
        guard !name.hasPrefix("."), !Self.unfinished.contains(where: { name.lowercased().hasSuffix($0) }) else {
            return false
        }
        return pattern.map { fnmatch($0, name, 0) == 0 } ?? true
    }

    /// Files as pages, in the order of their names.
    package func pages(_ paths: some Sequence<String>) -> FeedPages {
        FeedPages(
            files: paths.sorted().map { path in
                var file = file
                file.path = path
                return file
            })
    }
}

extension FileCourse.Stamp {
    fileprivate init(_ status: stat) {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        self.init(
            bytes: Int64(status.st_size), modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec),
            number: UInt64(status.st_ino))
    }
}
