import MarqueeDiff
import MarqueeModel
import MarqueeWire
import Testing

/// A subscriber of the home screen that stops reading once the screen is there, and resumes when told to.
final class StalledSubscriber {
    struct Cut {
        var revision: UInt64 = 0
        /// Whole patches by handle, including staged ones.
        var patches: [UInt64: Int] = [:]
    }

    private let connection: RawConnection
    private var taken: UInt64 = 0
    private var chartHandle: UInt64?
    /// The versions shown, by handle, and those staged.
    private var held: [UInt64: Version] = [:]
    private var staged: [UInt64: Version] = [:]
    private var assemblers: [UInt64: PatchAssembler] = [:]
    /// Patches staged since the last cut.
    private var stagedPatches: [UInt64: Int] = [:]

    /// The sum of the chart's latest state.
    var chart: UInt64? { chartHandle.flatMap { held[$0]?.sum } }
    var localPort: Int { connection.localPort }

    init(port: Int) async throws {
        connection = try await RawConnection.open(port: port, receiveBuffer: 4_096)
        _ = try #require(try await connection.greet())
        try await connection.send(.subscribe(Subscribe(subscription: 1, screen: "home")))
        for await frame in connection.frames {
            switch try MessageCodec.decode(frame, limits: .client) {
            case .stage(let part): try take(part, frame)
            case .join(let join):
                show(join)
                stagedPatches = [:]
                try await connection.read(false)
                return
            default: break
            }
        }
    }

    /// Reads what was on its way and what follows, up to a revision.
    func readOn(until revision: UInt64) async throws -> [Cut] {
        try await connection.read(true)
        var cuts: [Cut] = []
        for await frame in connection.frames {
            let message = try MessageCodec.decode(frame, limits: .client)
            let isCut: Bool
            switch message {
            case .join, .data: isCut = true
            default: isCut = false
            }
            if isCut, frame.flags.contains(.first) {
                cuts.append(Cut(patches: stagedPatches))
                stagedPatches = [:]
            }
            let last = cuts.count - 1
            switch message {
            case .stage(let part):
                try take(part, frame)
                try await connection.send(.ack(bytes: taken, cut: nil))
            case .join(let join):
                show(join)
                cuts[last].revision = max(cuts[last].revision, join.cut.catalogueRevision ?? 0)
            case .data(let part):
                try take(part, frame)
                cuts[last].revision = max(cuts[last].revision, part.cut.catalogueRevision ?? 0)
                if !part.more { cuts[last].patches[part.handle, default: 0] += 1 }
            case .rebase(let rebase):
                for section in rebase.sections {
                    let content = ContentManifest(held[section.handle] ?? .empty)
                    for part in Manifest.parts(of: content, handle: section.handle, limits: .server) {
                        try await connection.send(.manifest(part))
                    }
                }
            case .progress(let cut):
                // The cut before it was for this position.
                if last >= 0 { cuts[last].revision = cut.catalogueRevision ?? 0 }
                if cut.catalogueRevision == revision { return cuts }
            default: break
            }
            guard isCut, frame.flags.contains(.last) else { continue }
            if cuts[last].revision == revision { return cuts }
            try await connection.send(.ack(bytes: taken, cut: nil))
        }
        throw Overdue(description: "the connection ended before revision \(revision)")
    }

    /// Joins the parts of a patch and applies it.
    private func take(_ part: Part, _ frame: Frame) throws {
        taken += UInt64(frame.wireBytes)
        var assembler = assemblers.removeValue(forKey: part.handle) ?? PatchAssembler()
        guard let patch = try assembler.append(part) else {
            assemblers[part.handle] = assembler
            return
        }
        let base =
            patch.base == Version.empty.sum ? .empty : try #require(held[part.handle], "a patch without its base")
        let version = try base.applying(patch)
        if frame.kind == .stage {
            staged[part.handle] = version
            stagedPatches[part.handle, default: 0] += 1
        } else {
            held[part.handle] = version
        }
    }

    private func show(_ join: Join) {
        for (handle, sum) in [(join.viewHandle, Optional(join.viewSum))] + join.sections.map({ ($0.handle, $0.sum) }) {
            if let version = staged.removeValue(forKey: handle), version.sum == sum { held[handle] = version }
        }
        chartHandle = join.sections.first { $0.section == "chart" }?.handle
    }

    func close() async { await connection.close() }
}
