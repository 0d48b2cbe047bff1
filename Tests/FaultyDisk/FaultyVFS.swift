import Foundation
import GRDBSQLite
import Synchronization

/// SQLite's access to the system's files, which asks a `FaultyDisk` first. Files outside every such disk's folder are
/// accessed as usual.
enum FaultyVFS {
    private static let disks = Mutex<[String: Weak]>([:])

    private struct Weak: Sendable {
        weak var disk: FaultyDisk?
    }

    static func add(_ disk: FaultyDisk) {
        precondition(isRegistered, "SQLite accepts no other VFS")
        disks.withLock { $0[disk.folder] = Weak(disk: disk) }
    }

    static func remove(_ folder: String) { disks.withLock { $0[folder] = nil } }

    private static func disk(of path: String) -> FaultyDisk? {
        disks.withLock { disks in disks.first { path.hasPrefix($0.key + "/") }?.value.disk }
    }

    // MARK: - The VFS

    /// The system's own. Set once, before any file is opened through ours.
    private nonisolated(unsafe) static var system: UnsafeMutablePointer<sqlite3_vfs>!
    private nonisolated(unsafe) static let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)

    /// Becomes the default for files that are opened from now on.
    private static let isRegistered: Bool = {
        guard let found = sqlite3_vfs_find(nil) else { return false }
        system = found
        methods.initialize(to: FaultyFile.methods)
        let ours = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        ours.initialize(to: found.pointee)
        ours.pointee.pNext = nil
        ours.pointee.zName = UnsafePointer(strdup("faulty"))
        ours.pointee.szOsFile = found.pointee.szOsFile + Int32(FaultyFile.headerBytes)
        ours.pointee.xOpen = { _, name, file, flags, outFlags in open(name, file, flags, outFlags) }
        ours.pointee.xDelete = { _, name, synchronizes in
            if let name, let disk = disk(of: String(cString: name)),
                let code = disk.refuses(.delete, on: String(cString: name))
            {
                return code
            }
            return system.pointee.xDelete(system, name, synchronizes)
        }
        return sqlite3_vfs_register(ours, 1) == SQLITE_OK
    }()

    private static func open(
        _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let file else { return SQLITE_CANTOPEN }
        guard let name, let disk = disk(of: String(cString: name)) else {
            return system.pointee.xOpen(system, name, file, flags, outFlags)
        }
        file.pointee.pMethods = nil
        let path = String(cString: name)
        if disk.refuses(.open, on: path) != nil { return SQLITE_CANTOPEN }
        let real = FaultyFile.real(file)
        let code = system.pointee.xOpen(system, name, real, flags, outFlags)
        guard code == SQLITE_OK else { return code }
        FaultyFile.setOwner(FaultyFile.Owner(disk: disk, path: path), of: file)
        file.pointee.pMethods = UnsafePointer(methods)
        return SQLITE_OK
    }
}

/// One open file: SQLite's part, a reference to its owner, and then the system's file.
enum FaultyFile {
    /// Keeps the system's part aligned.
    static let headerBytes = 32

    /// The disk to ask, and the file's path.
    final class Owner: Sendable {
        let disk: FaultyDisk
        let path: String

        init(disk: FaultyDisk, path: String) {
            self.disk = disk
            self.path = path
        }
    }

    typealias File = UnsafeMutablePointer<sqlite3_file>

    static func real(_ file: File) -> File {
        (UnsafeMutableRawPointer(file) + headerBytes).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// The file holds the owner until it is closed.
    static func setOwner(_ owner: Owner, of file: File) {
        let place = UnsafeMutableRawPointer(file) + MemoryLayout<sqlite3_file>.size
        place.storeBytes(of: Unmanaged.passRetained(owner).toOpaque(), as: UnsafeMutableRawPointer.self)
    }

    private static func owner(_ file: File) -> Unmanaged<Owner> {
        let place = UnsafeMutableRawPointer(file) + MemoryLayout<sqlite3_file>.size
        return Unmanaged.fromOpaque(place.load(as: UnsafeMutableRawPointer.self))
    }

    private static func refuses(_ operation: FaultyDisk.Operation, _ file: File) -> Int32? {
        let owner = owner(file).takeUnretainedValue()
        return owner.disk.refuses(operation, on: owner.path)
    }

    /// The methods that SQLite may call on a file. It never passes a null file.
    static let methods: sqlite3_io_methods = {
        var methods = sqlite3_io_methods()
        methods.iVersion = 3
        methods.xClose = { file in
            let file = file!
            owner(file).release()
            return real(file).pointee.pMethods.pointee.xClose(real(file))
        }
        methods.xRead = { file, bytes, count, offset in
            refuses(.read, file!) ?? real(file!).pointee.pMethods.pointee.xRead(real(file!), bytes, count, offset)
        }
        methods.xWrite = { file, bytes, count, offset in
            let content = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            return refuses(.write(offset: Int(offset), bytes: content), file!)
                ?? real(file!).pointee.pMethods.pointee.xWrite(real(file!), bytes, count, offset)
        }
        methods.xTruncate = { file, length in
            refuses(.truncate(Int(length)), file!)
                ?? real(file!).pointee.pMethods.pointee.xTruncate(real(file!), length)
        }
        methods.xSync = { file, _ in refuses(.flush, file!) ?? SQLITE_OK }
        methods.xFileSize = { real($0!).pointee.pMethods.pointee.xFileSize(real($0!), $1) }
        methods.xLock = { real($0!).pointee.pMethods.pointee.xLock(real($0!), $1) }
        methods.xUnlock = { real($0!).pointee.pMethods.pointee.xUnlock(real($0!), $1) }
        methods.xCheckReservedLock = { real($0!).pointee.pMethods.pointee.xCheckReservedLock(real($0!), $1) }
        methods.xFileControl = { real($0!).pointee.pMethods.pointee.xFileControl(real($0!), $1, $2) }
        methods.xSectorSize = { real($0!).pointee.pMethods.pointee.xSectorSize(real($0!)) }
        methods.xDeviceCharacteristics = { real($0!).pointee.pMethods.pointee.xDeviceCharacteristics(real($0!)) }
        methods.xShmMap = { file, region, bytes, extends, address in
            refuses(.map, file!)
                ?? real(file!).pointee.pMethods.pointee.xShmMap(real(file!), region, bytes, extends, address)
        }
        methods.xShmLock = { real($0!).pointee.pMethods.pointee.xShmLock(real($0!), $1, $2, $3) }
        methods.xShmBarrier = { real($0!).pointee.pMethods.pointee.xShmBarrier(real($0!)) }
        methods.xShmUnmap = { real($0!).pointee.pMethods.pointee.xShmUnmap(real($0!), $1) }
        methods.xFetch = { real($0!).pointee.pMethods.pointee.xFetch(real($0!), $1, $2, $3) }
        methods.xUnfetch = { real($0!).pointee.pMethods.pointee.xUnfetch(real($0!), $1, $2) }
        return methods
    }()
}
