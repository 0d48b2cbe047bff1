import Testing

@testable import nodes

struct FaultTests {
    @Test func `Each fault has a name of its own`() {
        #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
    }

    @Test(arguments: ["--faults nothing-such", "--rounds 0", "--seconds 0"])
    func `Options that mean nothing are refused`(arguments: String) {
        #expect(throws: (any Error).self) { try Nodes.parse(arguments.split(separator: " ").map(String.init)) }
    }
}
