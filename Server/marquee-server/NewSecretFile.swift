import Foundation

/// A new file with a secret, which only its owner can read whatever the umask is.
struct NewSecretFile {
    private let path: String

    /// - Throws: `CommandFailure` if there is such a file, or it can't be written.
    init(_ path: String, _ secret: String) throws(CommandFailure) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno
            if reason == EEXIST {
                throw CommandFailure(.cannotCreate, "\(path) already exists; choose another name, or remove it")
            }
            throw CommandFailure(
                [EACCES, EPERM].contains(reason) ? .noPermission : .inputOutput,
                "\(path) can't be written: \(String(cString: strerror(reason)).lowercased())")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data("\(secret)\n".utf8))
            try file.synchronize()
        } catch {
            remove()
            throw CommandFailure(.inputOutput, "\(path) can't be written: \(error.localizedDescription)")
        }
    }

    func remove() { unlink(path) }
}
