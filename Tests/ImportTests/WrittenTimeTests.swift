import Testing

@testable import MarqueeImport

/// Times as files write them.
@Suite struct WrittenTimeTests {
    private func read(_ text: String, zone: String? = nil) throws(WrittenTime.Failure) -> String? {
        try WrittenTime(text, zone: zone.flatMap { ImportZone($0) }).timestamp
    }

    @Test(arguments: [
        ("2026-11-22", "2026-11-22T00:00:00Z"), ("2026-11-22T07:10:44Z", "2026-11-22T07:10:44Z"),
        ("2026-11-22t07:10z", "2026-11-22T07:10:00Z"), ("2026-11-22 07:10:44.5+09", "2026-11-21T22:10:44.500Z"),
        ("2026-11-22 07:10:44.123456+00", "2026-11-22T07:10:44.123456Z"),
        ("2026-11-22 07:10:44,25-0330", "2026-11-22T10:40:44.250Z"),
        ("2026-11-22 07:10:44+05:30", "2026-11-22T01:40:44Z"), ("1890-01-01 00:00:00+00:19:32", "1889-12-31T23:40:28Z"),
        ("2026-11-22 07:10:44 UTC", "2026-11-22T07:10:44Z"), ("2026-11-22 07:10:44 +0900", "2026-11-21T22:10:44Z"),
        ("2026-07-01 12:00 Europe/Berlin", "2026-07-01T10:00:00Z"),
        ("2026-01-01 12:00 Europe/Berlin", "2026-01-01T11:00:00Z"),
    ])
    func `Fractions, short offsets and places are read`(text: String, time: String) throws {
        #expect(try read(text) == time)
    }

    @Test(arguments: ["KST", "CST", "EST5EDT", "Asia/Soul", "+9", "+24", "+09:60", "+09:00:00:00", "Zulu", "M"])
    func `A zone that isn't known, or is ambiguous, is refused`(zone: String) {
        #expect(throws: WrittenTime.Failure.unknownZone(zone)) { try read("2026-11-22 07:10:44 \(zone)") }
        #expect(ImportZone(zone) == nil)
    }

    @Test(arguments: [
        "2026-02-30", "2026-11-22T", "2026-11-22 7:10Z", "2026-11-22T24:00Z", "2026-11-22T07:60Z",
        "2026-11-22T07:10:60Z",
        "2026-11-22T07:10:44.Z", "2026-11-22T07:10:44.1234567890Z", "2026-11-22x07:10Z", "22/11/2026", "", "2026-11-2",
        "2026-11-22T07:10:441Z",
    ])
    func `Anything else isn't a time`(text: String) {
        #expect(throws: WrittenTime.Failure.unreadable) { try read(text) }
    }

    @Test func `A time without a zone needs one from elsewhere`() throws {
        #expect(throws: WrittenTime.Failure.noZone) { try read("2026-11-22 07:10:44") }
        #expect(try read("2026-11-22 07:10:44", zone: "Asia/Seoul") == "2026-11-21T22:10:44Z")
        #expect(try read("2026-11-22 07:10:44", zone: "utc") == "2026-11-22T07:10:44Z")
        #expect(try read("2026-11-22 07:10:44Z", zone: "Asia/Seoul") == "2026-11-22T07:10:44Z")
        #expect(try read("2026-11-22", zone: "+09:00") == "2026-11-21T15:00:00Z")
    }

    @Test func `A time that the clocks skip or show twice is refused`() throws {
        let berlin = try #require(ImportZone("Europe/Berlin"))
        for text in ["2026-03-29 02:30", "2026-10-25 02:30"] {
            #expect(throws: WrittenTime.Failure.notOnce(berlin)) { try read(text, zone: berlin.name) }
        }
        #expect(try read("2026-03-29 03:00", zone: berlin.name) == "2026-03-29T01:00:00Z")
        #expect(try read("2026-10-25 03:00", zone: berlin.name) == "2026-10-25T02:00:00Z")
    }

    @Test(arguments: [
        ("%Y-%m-%d %H:%M:%S", "2026-11-22 07:10:44.5", "2026-11-22T07:10:44.500Z"),
        ("%Y-%m-%d %H:%M:%S", "2026-11-22 07:10:44", "2026-11-22T07:10:44Z"),
        ("%Y-%m-%d %H:%M:%S.%f%z", "2026-11-22 07:10:44.123456+09", "2026-11-21T22:10:44.123456Z"),
        ("%Y-%m-%d %H:%M:%S.%f%z", "2026-11-22 07:10:44+09", "2026-11-21T22:10:44Z"),
        ("%d.%m.%Y %T,%f", "22.11.2026 07:10:44,25", "2026-11-22T07:10:44.250Z"),
        ("%m/%d/%Y %I:%M:%S %p", "11/22/2026 07:10:44.5 PM", "2026-11-22T19:10:44.500Z"),
        ("%a, %d %b %Y %H:%M:%S %Z", "Sun, 22 Nov 2026 07:10:44 GMT", "2026-11-22T07:10:44Z"),
        ("%Y-%m-%d %H:%M %Z", "2026-11-22 07:10 Asia/Seoul", "2026-11-21T22:10:00Z"),
        ("%H:%M %Z %d/%m/%Y", "07:10 UTC 22/11/2026", "2026-11-22T07:10:00Z"),
        ("%Y-%m-%d %r", "2026-11-22 12:30:00 AM", "2026-11-22T00:30:00Z"),
        ("%Y-W%W-%u", "2026-W46-1", "2026-11-16T00:00:00Z"), ("%Y-%j", "2026-326", "2026-11-22T00:00:00Z"),
        ("%Y-%m", "2026-11", "2026-11-01T00:00:00Z"), ("%Y", "2026", "2026-01-01T00:00:00Z"),
        ("%c", "Sun Nov 22 07:10:44 2026", "2026-11-22T07:10:44Z"), ("%C%y-%m", "2026-11", "2026-11-01T00:00:00Z"),
        ("unix", "1764000000.25", "2025-11-24T16:00:00.250Z"), ("unix", "-1.5", "1969-12-31T23:59:58.500Z"),
        ("unix-ms", "1500.5", "1970-01-01T00:00:01.500500Z"), ("unix-ms", "7", "1970-01-01T00:00:00.007Z"),
    ])
    func `A form reads fractions and zones`(form: String, text: String, time: String) throws {
        #expect(try TimeFormat(form).time(text).timestamp == time)
    }

    @Test func `A form refuses what it can't read, and zones that it doesn't know`() throws {
        let form = try TimeFormat("%Y-%m-%d %H:%M:%S %Z")
        #expect(throws: WrittenTime.Failure.unknownZone("KST")) { try form.time("2026-11-22 07:10:44 KST") }
        let seoul = try TimeFormat("%Y-%m-%d %H:%M:%S KST", zone: #require(ImportZone("Asia/Seoul")))
        #expect(try seoul.time("2026-11-22 07:10:44 KST").timestamp == "2026-11-21T22:10:44Z")
        for text in ["22/11/26", "30/02/2026", "22/11/2026 7", "x"] {
            #expect(throws: WrittenTime.Failure.unreadable, "\(text)") { try TimeFormat("%d/%m/%Y").time(text) }
        }
        #expect(try TimeFormat("%d/%m/%y").time("22/11/26").timestamp == "2026-11-22T00:00:00Z")
    }

    @Test(arguments: [
        ("%H:%M", "it has no year"), ("%s", "'unix' reads"), ("%G-%V", "isn't supported"), ("%Y%", "a single %"),
        ("%Y %Q", "%Q isn't known"), ("%Y %f", "%f, the fraction"), ("%Y %z %Z", "both %z and %Z"),
        ("Y-m-d", "no year"),
        ("%Y-%m-%d %H:%M %p", "combined with %p"), ("%Y-%m-%d %T %p", "combined with %p"),
        ("%Y-%m-%d %I:%M", "go together"), ("%Y-%m-%d %p", "go together"), ("%Y-%m-%d %H:%M %r", "the minute twice"),
        ("%Y-%m-%d %H %I %p", "combined with %p"), ("%Y-W%W", "needs a day of the week"),
        ("%Y-%m W%U", "a month or day"), ("%Y %a", "needs a day of the month"), ("%Y %d", "needs a month"),
        ("%Y %j %a", "the day of the year"), ("%Y-%m-%d %j", "the day of the year"), ("%Y-%y", "the year twice"),
        ("%F %d", "the day twice"), ("%C", "needs %y"), ("%F %M", "need an hour"), ("%F %H %S", "need minutes"),
    ])
    func `A form that can't work is refused at once`(form: String, words: String) {
        let mistake = #expect(throws: TimePattern.Mistake.self) { try TimeFormat(form) }
        #expect(mistake?.reason.contains(words) == true)
    }

    @Test func `The day of a text is the one that its author saw`() throws {
        let form = try TimeFormat("%Y-%m-%d %H:%M %z")
        #expect(try form.time("2026-11-22 01:00 +0900").day == "2026-11-22")
        #expect(try TimeFormat("unix", zone: #require(ImportZone("+09:00"))).time("1764000000").day == "2025-11-25")
    }
}
