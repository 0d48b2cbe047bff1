import NIOHTTP1
import Testing

@testable import MarqueeWeb

@Suite("The names of an answer's versions")
struct EntityTagTests {
    private func isHeld(_ tag: EntityTag, _ values: String...) -> Bool {
        tag.isAmong(EntityTag.held(HTTPHeaders(values.map { ("If-None-Match", $0) })))
    }

    @Test func `A weak tag says so before its quotes`() {
        #expect(EntityTag("1f").description == "\"1f\"")
        #expect(EntityTag("1f", isWeak: true).description == "W/\"1f\"")
    }

    @Test(arguments: [false, true])
    func `A client has a version whether or not it calls the tag weak`(isWeak: Bool) {
        let tag = EntityTag("1f", isWeak: isWeak)
        #expect(isHeld(tag, "\"1f\""))
        #expect(isHeld(tag, "W/\"1f\""))
        #expect(isHeld(tag, "*"))
    }

    @Test func `Several tags may stand in one field, or in several`() {
        #expect(isHeld(EntityTag("1f"), "\"1e\", W/\"1f\""))
        #expect(isHeld(EntityTag("1f"), "\"1e\"", "\"1f\""))
    }

    @Test func `Another version, a tag without quotes and no tag are not held`() {
        let tag = EntityTag("1f")
        #expect(!isHeld(tag))
        #expect(!isHeld(tag, "\"1e\", \"1f0\""))
        #expect(!isHeld(tag, "1f"))
        #expect(!isHeld(tag, "w/\"1f\""))
        #expect(!isHeld(tag, "W/W/\"1f\""))
    }
}
