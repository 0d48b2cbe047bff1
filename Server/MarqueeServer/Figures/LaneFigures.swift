/// Figures of connections' requests on one thread, where connections take turns.
package struct LaneFigures: Hashable, Sendable {
    package var name: String
    package var waiting: Int
    package var done: UInt64
    /// Requests of connections that closed before their turn came.
    package var dropped: UInt64
}
