import Foundation
import MarqueeModel
import Testing

@testable import MarqueeImport

/// Items of RSS documents and Atom feeds as rows.
@Suite struct RSSTests {
    private static func rows(
        _ bytes: [UInt8], format: RecordFile.Format? = nil, encoding: TextEncoding? = nil
    ) throws -> [[String: JSONValue]] {
        let folder = try ImportFolder()
        let path = "\(folder.path)/news"
        try Data(bytes).write(to: URL(filePath: path))
        var file = RecordFile(path: path)
        (file.format, file.encoding) = (format, encoding)
        var rows: [[String: JSONValue]] = []
        _ = try file.read(Importer(store: UnknownCatalogue())) { (columns) throws(ImportError) in
            #expect(columns == RSSDocument.columns)
        } row: { (row) throws(ImportError) in
            rows.append(Dictionary(uniqueKeysWithValues: row.cells.map { ($0.name, $0.value) }))
        }
        return rows
    }

    private static func rows(_ text: String) throws -> [[String: JSONValue]] { try rows(Array(text.utf8)) }

    private static func refusal(_ text: String) -> String {
        do {
            return "read: \(try rows(text))"
        } catch let error as ImportError {
            return String(error.message.split(separator: "/news", maxSplits: 1).last ?? "")
        } catch {
            return "\(error)"
        }
    }

    private static func rss(_ items: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"
          xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">
        <channel><title>News</title><link>https://news.example/</link>\(items)</channel></rss>
        """
    }

    @Test func `An item of RSS has the same columns, whatever other vocabularies say`() throws {
        let rows = try Self.rows(
            Self.rss(
                """
                <item>
                  <media:title>Not this</media:title>
                  <atom:link rel="self" href="https://news.example/self"/>
                  <title>Rain &amp; <![CDATA[<b>wind</b>]]></title>
                  <link> https://news.example/1 </link>
                  <guid isPermaLink="false">n-1</guid>
                  <description>Short</description>
                  <content:encoded><![CDATA[<p>Long</p>]]></content:encoded>
                  <pubDate>Sun, 22 Nov 2026 07:10:44 +0900</pubDate>
                  <dc:creator>Ana</dc:creator>
                  <category>Weather</category><category>Sea</category>
                  <enclosure url="https://news.example/1.mp3" length="12" type="audio/mpeg"/>
                </item>
                <item><link>https://news.example/2</link><title/><pubDate></pubDate></item>
                """))
        #expect(
            rows.first == [
                "id": .text("n-1"), "title": .text("Rain & <b>wind</b>"), "link": .text("https://news.example/1"),
                "summary": .text("Short"), "content": .text("<p>Long</p>"), "published": .text("2026-11-21T22:10:44Z"),
                "author": .text("Ana"), "categories": .list([.text("Weather"), .text("Sea")]),
                "enclosure": .text("https://news.example/1.mp3"),
            ])
        #expect(
            rows.last == ["id": .text("https://news.example/2"), "link": .text("https://news.example/2")],
            "its link is its name, and an empty date is none")
    }

    @Test func `An entry of Atom is a row`() throws {
        let rows = try Self.rows(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><author><name>Paper</name></author>
            <entry>
              <id>urn:1</id><title type="html">Rain</title><updated>2026-11-22T07:10:44Z</updated>
              <published>2026-11-22T06:00:00+09:00</published>
              <link rel="edit" href="https://news.example/edit"/><link href="https://news.example/1"/>
              <link rel="enclosure" href="https://news.example/1.mp3"/>
              <author><name>Ana</name><email>ana@news.example</email></author><category term="weather"/>
              <summary>Short</summary>
              <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">It <b>rains</b>.</div></content>
              <source><id>urn:other</id><title>Other</title></source>
            </entry></feed>
            """)
        #expect(
            rows == [
                [
                    "id": .text("urn:1"), "title": .text("Rain"), "updated": .text("2026-11-22T07:10:44Z"),
                    "published": .text("2026-11-22T06:00:00+09:00"), "link": .text("https://news.example/1"),
                    "enclosure": .text("https://news.example/1.mp3"), "author": .text("Ana"),
                    "categories": .list([.text("weather")]), "summary": .text("Short"), "content": .text("It rains."),
                ]
            ])
    }

    @Test func `RSS 1.0 names its items by an attribute`() throws {
        let rows = try Self.rows(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
              xmlns:dc="http://purl.org/dc/elements/1.1/">
            <channel rdf:about="https://news.example/"><title>News</title></channel>
            <item rdf:about="https://news.example/a"><title>Rain</title><dc:date>2026-11-22</dc:date></item></rdf:RDF>
            """)
        #expect(
            rows == [
                [
                    "id": .text("https://news.example/a"), "title": .text("Rain"), "published": .text("2026-11-22"),
                ]
            ])
    }

    @Test(arguments: [
        ("Wed, 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z"), ("2 Oct 02 08:00 EST", "2002-10-02T13:00:00Z"),
        ("Wed, 02 Oct 2002 15:00:00 +0200", "2002-10-02T13:00:00Z"),
        ("Sat, 31 Dec 99 23:59:59 UT", "1999-12-31T23:59:59Z"),
        ("Wed, 02 Oct 2002", "Wed, 02 Oct 2002"), ("Wed, 32 Oct 2002 13:00:00 GMT", "Wed, 32 Oct 2002 13:00:00 GMT"),
        ("2 Oct 2002 13:00 XYZ", "2 Oct 2002 13:00 XYZ"), ("yesterday", "yesterday"), (",", ","),
    ])
    func `Times of RFC 822 become those of RFC 3339, and others stay`(written: String, time: String) {
        #expect(RSSDocument.time(written) == time)
    }

    @Test func `A document may be in another encoding`() throws {
        let korean: [UInt8] = [0xB0, 0xA1]
        for name in ["EUC-KR", "euc-kr"] {
            let bytes =
                Array("<?xml version='1.0' encoding='\(name)'?>\n<rss><channel><item><title>".utf8) + korean
                + Array("</title></item></channel></rss>".utf8)
            #expect(try Self.rows(bytes).first?["title"] == .text("가"))
        }
        let wide =
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?><rss><channel><item><title>가</title></item></channel></rss>"
        let bytes: [UInt8] = [0xFF, 0xFE] + wide.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try Self.rows(bytes, format: .rss).first?["title"] == .text("가"))
        #expect(Self.refusal("<?xml version='1.0' encoding='x-none'?><rss/>").contains("'x-none', which isn't known"))
    }

    @Test func `A document that is cut off, or isn't one, is refused`() {
        let whole = Self.rss("<item><guid>1</guid></item>")
        for count in stride(from: 60, to: whole.count - 1, by: 7) {
            #expect(!Self.refusal(String(whole.prefix(count))).hasPrefix("read"), "\(count)")
        }
        #expect(Self.refusal(String(whole.dropLast(8))).contains("this is not well-formed XML"))
        #expect(Self.refusal("<rss><channel><item></channel></rss>").contains("this is not well-formed XML"))
        #expect(Self.refusal("<rss><channel>&nbsp;</channel></rss>").contains("this is not well-formed XML"))
        #expect(Self.refusal("<opml><body/></opml>").contains("is XML, but neither RSS nor Atom"))
        #expect(Self.refusal("<!DOCTYPE html><html></html>").contains("is a page of HTML"))
    }

    @Test func `Entities are neither expanded nor fetched`() throws {
        let folder = try ImportFolder()
        let secret = try folder.file("secret", "secret")
        let laughs = (1...9).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }.joined()
        for (entities, reference) in [
            ("<!ENTITY e0 'ha'>" + laughs, "&e9;"), ("<!ENTITY x SYSTEM 'file://\(secret)'>", "&x;"),
            ("<!ENTITY x 'ha'>", "&x;"), ("\n<!ENTITY x 'ha'>\n", "x"),
            ("<!ENTITY % p SYSTEM 'file://\(secret)'> %p;", "x"),
        ] {
            let text =
                "<!DOCTYPE rss [\(entities)]><rss><channel><item><title>\(reference)</title></item></channel></rss>"
            #expect(Self.refusal(text).contains("declares entities, which aren't read"), "\(Self.refusal(text))")
        }
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(!Self.refusal("<rss>\(deep)").hasPrefix("read"))
    }
}
