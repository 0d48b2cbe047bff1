import Foundation
import Testing

@testable import marquee_server

@Suite struct ExpiryNoticeTests {
    private static let end = Date(timeIntervalSince1970: 2e9)

    @Test func `The end is said 30, 7 and 1 days before, and when it has come, once each`() {
        var notice = ExpiryNotice()
        let said = [40.0, 30, 29, 10, 7, 6.5, 2, 1, 0.5, 0, -1, -40].map { days in
            notice.words(ends: Self.end, now: Self.end.addingTimeInterval(-days * 86_400)) != nil
        }
        #expect(said == [false, true, false, false, true, false, false, true, false, true, false, false])
    }

    @Test func `A start shortly before the end says it once, and a renewed certificate has its own times`() {
        var notice = ExpiryNotice()
        let now = Self.end.addingTimeInterval(-3_600)
        #expect(notice.words(ends: Self.end, now: now)?.contains("1 day") == true)
        #expect(notice.words(ends: Self.end, now: now) == nil)
        #expect(notice.words(ends: Self.end.addingTimeInterval(90 * 86_400), now: now) == nil)
        #expect(notice.words(ends: Self.end.addingTimeInterval(5 * 86_400), now: now)?.contains("7 days") == true)
    }
}
