import CPostgreSQL
import Foundation

extension PostgresSource {
    /// Waits until the database sends something.
    func wait(milliseconds: Int32) {
        var descriptor = pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, milliseconds)
    }

    /// Whether notifications have arrived since this was asked last.
    /// - Throws: when the connection has ended.
    func takeNotifications() throws(ImportError) -> Bool {
        guard PQconsumeInput(raw) == 1 else { throw failure("has ended the connection") }
        var isPresent = false
        while let notification = PQnotifies(raw) {
            isPresent = true
            PQfreemem(notification)
        }
        return isPresent
    }
}
