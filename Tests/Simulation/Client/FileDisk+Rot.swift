import Foundation
import GRDB
import SeededRandom

extension FileDisk {
    /// Changes one bit of a stored body. Only while the file isn't open.
    ///
    /// - Returns: whether there was one.
    func flipBit(_ random: inout SeededGenerator) -> Bool {
        guard FileManager.default.fileExists(atPath: currentPath) else { return false }
        let pick = random.next()
        let bit = random.int(0...7)
        do {
            let queue = try DatabaseQueue(path: currentPath)
            defer { try? queue.close() }
            return try queue.write { db in
                let rows = try Row.fetchAll(
                    db, sql: "SELECT number, body FROM item WHERE length(body) > 0 ORDER BY number")
                guard !rows.isEmpty else { return false }
                let row = rows[Int(pick % UInt64(rows.count))]
                var body: Data = row[1]
                let place = body.startIndex + Int((pick >> 32) % UInt64(body.count))
                body[place] ^= 1 << UInt8(bit)
                try db.execute(sql: "UPDATE item SET body = ? WHERE number = ?", arguments: [body, row[0] as Int64])
                return true
            }
        } catch {
            return false
        }
    }
}
