#if canImport(Glibc)
    import CAllocator
    import Dispatch
    import Foundation
    import Glibc
    import Synchronization
#endif

/// Freed memory that the allocator still holds. By itself, glibc only returns memory at the end of a heap, where some
/// small allocation usually remains after a burst; other allocators return it by themselves.
enum FreeMemory {
    #if canImport(Glibc)
        private static let queue = DispatchQueue(label: "marquee.memory", qos: .background)
        private static let schedule = Mutex(TrimSchedule())

        /// Returns freed memory to the system if that is worthwhile, on a separate thread. Called about once a second.
        static func tick() {
            guard schedule.withLock({ $0.begins(at: ServerServices.uptime()) }) else { return }
            queue.async {
                let began = ServerServices.uptime()
                if let use = Self.use, schedule.withLock({ $0.isWorthwhile(use) }) {
                    malloc_trim(0)
                    if let rest = Self.use { schedule.withLock { $0.returned(leaving: rest) } }
                }
                let ended = ServerServices.uptime()
                schedule.withLock { $0.ended(at: ended, duration: ended - began) }
            }
        }

        /// `nil` if the system doesn't say.
        private static var use: TrimSchedule.Use? {
            guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
            // Counts of pages: of the address space, the resident ones, and the resident ones that belong to files.
            let pages = text.split(separator: " ").prefix(3).compactMap { Int($0) }
            guard pages.count == 3 else { return nil }
            return .init(
                resident: (pages[1] - pages[2]) * sysconf(CInt(_SC_PAGESIZE)), allocated: Int(allocator_bytes_in_use()))
        }
    #else
        static func tick() {}
    #endif
}
