import Foundation
import GRDB

extension MirrorError {
    /// - Parameters:
    ///   - error: an error of SQLite, GRDB or the mirror itself.
    ///   - place: the mirror's path, to name in the message.
    init(_ error: any Error, at place: String) {
        if let error = error as? MirrorError {
            self = error
        } else if let error = error as? DatabaseError {
            let detail = error.message ?? "SQLite result \(error.resultCode.rawValue)"
            // SQLite reports this when there is no room for the index of the write-ahead log at opening.
            let hasNoRoom = error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
            switch hasNoRoom ? .SQLITE_FULL : error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB,
                .SQLITE_ERROR where MirrorError.lacksName(error):
                self.init(.corrupt, "the mirror \(place) is damaged: \(detail)")
            case .SQLITE_BUSY:
                self.init(.busy, "the mirror \(place) is locked by another process, which is writing it")
            case .SQLITE_FULL:
                self.init(.diskFull, "the disk is full: nothing more can be stored in the mirror \(place)")
            case .SQLITE_READONLY:
                self.init(.io, "the mirror \(place) can't be written: \(detail)")
            default:
                self.init(.io, "the mirror \(place) can't be read or written: \(detail)")
            }
        } else if error is RowDecodingError {
            self.init(.corrupt, "the mirror \(place) is damaged: a row holds a value of the wrong type")
        } else {
            self.init(.io, "the mirror \(place) can't be read or written: \(error)")
        }
    }

    /// Whether a table or column is missing. Statements are fixed and versions are checked first, so the name in the
    /// schema's text must have changed: the file is damaged.
    private static func lacksName(_ error: DatabaseError) -> Bool {
        let message = error.message ?? ""
        return ["no such table", "no such column", "no column named"].contains { message.contains($0) }
    }

    /// The system's reason behind one of Foundation's errors, whose own description says less.
    static func reason(of error: any Error) -> String {
        guard let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error else {
            return error.localizedDescription
        }
        let cause = underlying as NSError
        guard cause.domain == NSPOSIXErrorDomain, let number = Int32(exactly: cause.code) else {
            return error.localizedDescription
        }
        return String(cString: strerror(number))
    }

    /// An error for a failed system call.
    static func system(_ call: String, _ path: String, _ number: Int32) -> MirrorError {
        MirrorError(number == ENOSPC ? .diskFull : .io, "\(call) \(path): \(String(cString: strerror(number)))")
    }
}
