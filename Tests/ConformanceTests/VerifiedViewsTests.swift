import MarqueeDiff
import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeConformance

@Suite struct VerifiedViewsTests {
    private let world = World(screen: "home")

    private func parts(_ patch: Patch, _ handle: UInt64, isWhole: Bool) throws -> [Part] {
        try PartEncoder.split(patch, handle: handle, isWhole: isWhole)
    }

    private func join(naming sum: UInt64? = nil) -> Message {
        .join(
            Join(
                subscription: 1, generation: 0, viewHandle: 1, viewSum: world.own.sum,
                sections: world.sections.map { Binding(section: $0.id, handle: $0.handle, sum: sum ?? $0.version.sum) },
                cut: CutChange(), screen: "home", locale: "en"))
    }

    /// A view that shows the world.
    private func joined() throws -> VerifiedViews {
        var views = VerifiedViews()
        views.views[1] = VerifiedViews.View(generation: 0, screen: "home", locale: "")
        for (handle, version) in world.versions {
            let parts = try parts(Differ.patch(from: .empty, to: version), handle, isWhole: true)
            for (index, part) in parts.enumerated() { try views.stage(part, isFirst: index == 0) }
        }
        try views.apply([join()])
        return views
    }

    @Test func `Staged versions join, and patches follow`() throws {
        var views = try joined()
        #expect(views.views[1]?.sections == world.sections.map(\.id))
        #expect(views.staged.isEmpty)
        let target = World.cards([3, 1, 9])
        let patch = Differ.patch(from: world["cards"], to: target)
        try views.apply(try parts(patch, 2, isWhole: false).map { .data($0) })
        #expect(views.views[1]?.contents["cards"]?.sum == target.sum)
    }

    @Test func `A join of what was never sent is refused`() throws {
        var views = try joined()
        #expect(throws: Deviation.self) { try views.apply([join(naming: 7)]) }
    }

    @Test func `A patch from another base, to another target, or twice in a cut is refused`() throws {
        let part = try parts(Differ.patch(from: world["cards"], to: World.cards([3])), 2, isWhole: false)[0]
        var (base, target) = (part, part)
        base.base = 7
        target.target = 7
        for cut in [[base], [target], [part, part]] {
            var views = try joined()
            #expect(throws: Deviation.self) { try views.apply(cut.map { .data($0) }) }
        }
    }

    @Test func `A list that names other sections than are bound is refused`() throws {
        var views = try joined()
        let patch = Differ.patch(from: world.own, to: World.list(of: ["cards"]))
        let cut = try parts(patch, 1, isWhole: false).map { Message.data($0) }
        #expect(throws: Deviation.self) { try views.apply(cut) }
    }

    @Test func `A staged part without its beginning is refused, unless a nack has cut it off`() throws {
        let part = try parts(Differ.patch(from: .empty, to: World.cards([3])), 2, isWhole: true)[0]
        var views = try joined()
        #expect(throws: Deviation.self) { try views.stage(part, isFirst: false) }
        views.dropStaged(handle: 3)
        try views.stage(part, isFirst: false)
        #expect(views.staged.isEmpty)
    }

    @Test func `A staged patch starts from nothing or from what was described`() throws {
        let (base, target) = (World.cards([1, 2]), World.cards([2, 3]))
        let part = try parts(Differ.patch(from: base, to: target), 2, isWhole: false)[0]
        var views = try joined()
        #expect(throws: Deviation.self) { try views.stage(part, isFirst: true) }
        views.described[2] = base
        try views.stage(part, isFirst: true)
        #expect(views.staged[2]?.sum == target.sum)
    }
}
