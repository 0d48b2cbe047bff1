import MarqueeModel
import Testing

@Suite("Names with values")
struct NamedValueTests {
    @Test func `The first equals sign ends the name; others belong to the value`() {
        #expect(NamedValue("topics=a=b")?.name == "topics")
        #expect(NamedValue("topics=a=b")?.value == "a=b")
    }

    @Test func `A value may be empty, a name may not`() {
        #expect(NamedValue("topics=")?.value == "")
        #expect(NamedValue("=food") == nil)
        #expect(NamedValue("topics") == nil)
        #expect(NamedValue("") == nil)
    }
}
