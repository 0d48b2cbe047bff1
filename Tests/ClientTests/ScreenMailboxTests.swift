import MarqueeDiff
import MarqueeMirror
import MarqueeModel
import Testing

@testable import MarqueeClient

@Suite(.timeLimit(.minutes(10))) struct ScreenMailboxTests {
    private func state(_ revision: UInt64) -> ScreenState {
        ScreenState(
            id: ViewID(screen: "home", locale: "en"), content: .init(list: .empty, sections: [:]),
            cut: Cut(catalogueRevision: revision), asOf: 0, origin: .live, collections: CollectionsOverlay(),
            damaged: [])
    }

    private func untilWaiting(_ count: Int, _ mailbox: ScreenMailbox) async {
        while mailbox.waitingCount < count { await Task.yield() }
    }

    @Test func `Only the newest state waits`() async throws {
        let mailbox = ScreenMailbox()
        for revision in 1...3 as ClosedRange<UInt64> { mailbox.put(state(revision)) }
        #expect(try await mailbox.next()?.cut.catalogueRevision == 3)
    }

    @Test func `A waiting reader gets the next state`() async throws {
        let mailbox = ScreenMailbox()
        async let next = mailbox.next()
        await untilWaiting(1, mailbox)
        mailbox.put(state(1))
        #expect(try await next?.cut.catalogueRevision == 1)
    }

    @Test func `Nothing is delivered twice`() async throws {
        let mailbox = ScreenMailbox()
        mailbox.put(state(1))
        _ = try await mailbox.next()
        async let next = mailbox.next()
        await untilWaiting(1, mailbox)
        mailbox.put(state(2))
        #expect(try await next?.cut.catalogueRevision == 2)
    }

    @Test func `The end is delivered at once`() async throws {
        let mailbox = ScreenMailbox()
        mailbox.put(state(1))
        mailbox.finish(nil)
        mailbox.put(state(2))
        #expect(try await mailbox.next() == nil)
        #expect(try await mailbox.next() == nil)
    }

    @Test func `An error is thrown once, and then the sequence ends`() async throws {
        let mailbox = ScreenMailbox()
        mailbox.finish(ClientError(.refused, "no"))
        mailbox.finish(ClientError(.closed, "later"))
        await #expect(throws: ClientError(.refused, "no")) { try await mailbox.next() }
        #expect(try await mailbox.next() == nil)
    }

    @Test func `A waiting reader receives an error`() async throws {
        let mailbox = ScreenMailbox()
        let reader = Task { try await mailbox.next() }
        await untilWaiting(1, mailbox)
        mailbox.finish(ClientError(.refused, "no"))
        await #expect(throws: ClientError(.refused, "no")) { try await reader.value }
    }

    @Test(arguments: [false, true])
    func `A reader that is cancelled, before or while it waits, gets the end`(waits: Bool) async throws {
        let mailbox = ScreenMailbox()
        let reader = Task {
            // The first one begins when it has been cancelled.
            while !waits, !Task.isCancelled { await Task.yield() }
            return try await mailbox.next()
        }
        if waits { await untilWaiting(1, mailbox) }
        reader.cancel()
        #expect(try await reader.value == nil)
        mailbox.put(state(1))
        #expect(try await mailbox.next() == nil)
    }

    @Test func `Two tasks waiting at once both get the next state, and both get the end`() async throws {
        let mailbox = ScreenMailbox()
        for end in [false, true] {
            let readers = (0..<2).map { _ in Task { try await mailbox.next()?.cut.catalogueRevision } }
            await untilWaiting(2, mailbox)
            if end { mailbox.finish(nil) } else { mailbox.put(state(1)) }
            for reader in readers { #expect(try await reader.value == (end ? nil : 1)) }
        }
    }
}
