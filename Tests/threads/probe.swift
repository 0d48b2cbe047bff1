// Threads that meet: behind a lock, or, when told "race", without one. ThreadSanitizer has to tell them apart.

import Foundation
import Synchronization

final class Meeting: Sendable {
    let locked = Mutex<[Int]>([])
    nonisolated(unsafe) var open = 0
    let shared = AtomicLazyReference<Guest>()
}

final class Guest: @unchecked Sendable {
    var number: Int
    init(_ number: Int) { self.number = number }
}

let meeting = Meeting()
let races = CommandLine.arguments.dropFirst() == ["race"]
let threads = (1...4).map { number in
    let thread = Thread {
        for turn in 0..<20_000 {
            meeting.locked.withLock {
                $0.append(turn)
                if $0.count > 100 { $0.removeAll() }
            }
            let guest = meeting.shared.load() ?? meeting.shared.storeIfNil(Guest(number))
            if guest.number == 0 { meeting.open = 0 }
            if races { meeting.open += 1 }
        }
    }
    thread.start()
    return thread
}
while threads.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.01) }
