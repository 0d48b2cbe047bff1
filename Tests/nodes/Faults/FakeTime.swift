import Foundation

/// Debian's faketime, which tells a process a time other than the machine's.
enum FakeTime {
    private static let library: String? = {
        let libraries = "/usr/lib"
        let folders = ((try? FileManager.default.contentsOfDirectory(atPath: libraries)) ?? []).sorted()
        return folders.map { "\(libraries)/\($0)/faketime/libfaketime.so.1" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()

    static let obstacle: @Sendable () -> String? = {
        library == nil ? "needs libfaketime: apt-get install libfaketime" : nil
    }

    /// For the environment of a process whose clock is ahead by so much, such as `+8d`. What it measures by the
    /// monotonic clock stays true.
    static func variables(_ offset: String) -> [String] {
        guard let library else { return [] }
        return ["LD_PRELOAD=\(library)", "FAKETIME=\(offset)", "FAKETIME_DONT_FAKE_MONOTONIC=1"]
    }

    /// Removes the shared memory that the library has made for a process, and leaves behind when that is killed.
    static func forget(_ process: pid_t) {
        for name in ["faketime_shm_\(process)", "sem.faketime_sem_\(process)"] {
            try? FileManager.default.removeItem(atPath: "/dev/shm/\(name)")
        }
    }
}
