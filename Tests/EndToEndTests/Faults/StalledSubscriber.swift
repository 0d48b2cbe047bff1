import MarqueeModel
import MarqueeWire
import Testing

/// A subscriber of the home screen that stops reading when the screen is there, and reads on when it is told to.
final class StalledSubscriber {
    struct Cut {
        var revision: UInt64 = 0
        /// Whole patches by handle.
        var patches: [UInt64: Int] = [:]
    }

    private let connection: RawConnection
    private var taken: UInt64 = 0
    private var chartHandle: UInt64?
    /// The sum of the chart that it was led to last.
    private(set) var chart: UInt64?

    var localPort: Int { connection.localPort }

    init(port: Int) async throws {
        connection = try await RawConnection.open(port: port, receiveBuffer: 4_096)
        _ = try #require(try await connection.greet())
        try await connection.send(.subscribe(Subscribe(subscription: 1, screen: "home")))
        for await frame in connection.frames {
            let message = try MessageCodec.decode(frame, limits: .client)
            if case .stage = message { taken += UInt64(frame.wireBytes) }
            if case .join(let join) = message {
                let chart = try #require(join.sections.first { $0.section == "chart" })
                (chartHandle, self.chart) = (chart.handle, chart.sum)
                break
            }
        }
        try await connection.read(false)
    }

    /// Takes what was on its way and what follows, up to a revision.
    func readOn(until revision: UInt64) async throws -> [Cut] {
        try await connection.read(true)
        var cuts: [Cut] = []
        for await frame in connection.frames {
            switch try MessageCodec.decode(frame, limits: .client) {
            case .data(let part):
                taken += UInt64(frame.wireBytes)
                if frame.flags.contains(.first) { cuts.append(Cut()) }
                let last = cuts.count - 1
                cuts[last].revision = max(cuts[last].revision, part.cut.catalogueRevision ?? 0)
                if !part.more { cuts[last].patches[part.handle, default: 0] += 1 }
                if part.handle == chartHandle { chart = part.target }
                guard frame.flags.contains(.last) else { continue }
                if cuts[last].revision == revision { return cuts }
                try await connection.send(.ack(bytes: taken, cut: nil))
            case .progress(let cut):
                // The cut before it was for this position.
                if let last = cuts.indices.last { cuts[last].revision = cut.catalogueRevision ?? 0 }
                if cut.catalogueRevision == revision { return cuts }
            default: break
            }
        }
        throw Overdue(description: "the connection ended before revision \(revision)")
    }

    func close() async { await connection.close() }
}
