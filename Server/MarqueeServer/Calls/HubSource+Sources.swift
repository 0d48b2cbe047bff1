import Foundation
import MarqueeCatalogue
import MarqueeDiff
import MarqueeModel
import MarqueeStore
package import MarqueeWire
import Synchronization

extension SourcePosition {
    init(_ move: SourceMove, moved: Moment) {
        self.init(move.source, at: move.position, expecting: move.expected, moved: moved)
    }
}

extension HubSource {
    /// The positions of sources in the log, which may be a moment behind the store.
    package var sources: [SourceState] {
        let (now, time) = (clock(), Self.time)
        return sourceReports.withLock { $0.states(Array($0.positions.values), now: now, time: time) }
    }

    /// Milliseconds since 1970.
    private static var time: UInt64 { UInt64(max(0, Date().timeIntervalSince1970 * 1_000)) }

    /// Reads the positions of all sources.
    func noteSources() throws(StoreError) {
        let all = try store.sources()
        sourceReports.withLock { reports in
            reports.positions = Dictionary(all.map { ($0.source, $0) }) { _, last in last }
        }
    }

    /// Takes the positions of sources from commits read from the log.
    func note(sourcesOf commits: [CatalogueCommit]) {
        sourceReports.withLock { reports in
            for case .source(let position) in commits.lazy.flatMap(\.changes) {
                reports.positions[position.source] = position
            }
        }
    }

    /// Answers a source, or a client that asks about sources. Blocks.
    func sources(_ request: SourceRequest, for identity: Identity) -> Result<[UInt8], Status> {
        if let name = request.source {
            if let refusal = CatalogueBounds.refusal(of: name, "the name of a source", limit: CatalogueBounds.source) {
                return .failure(Status(.invalidArgument, reason: "SOURCE_INVALID", remedy: .fatal, message: refusal))
            }
            if let report = request.report { sourceReports.withLock { $0.hear(report, of: name, now: clock()) } }
        }
        do throws(StoreError) {
            // Read from the store itself: the source that asks goes on from this position.
            let (positions, now, time) = (try store.sources(), clock(), Self.time)
            var states = sourceReports.withLock { $0.states(positions, now: now, time: time) }.filter {
                Authoriser.refusal(of: .publish(Change.subjectOfPublishing(source: $0.source)), to: identity) == nil
            }
            if let name = request.source {
                states.removeAll { $0.source != name }
                if states.isEmpty { states = [SourceState(source: name)] }
            }
            return .success(CallBodyCodec.encode(SourceAnswer(sources: states)))
        } catch {
            return .failure(Status(storeError: error))
        }
    }

    /// The most bytes of ids in one answer.
    private static let recordSumsBytes = 256 << 10

    /// Lists the records of a type by their ids, with their sums. Blocks.
    func recordSums(_ request: RecordSumsRequest) -> Result<[UInt8], Status> {
        do throws(StoreError) {
            var answer = RecordSumsAnswer(ids: [], sums: [], more: false)
            var bytes = 0
            let records = try store.records(
                ofType: request.type, after: request.after, limit: RecordSumsRequest.records)
            for record in records {
                bytes += record.id.utf8.count
                guard bytes <= Self.recordSumsBytes else { break }
                answer.ids.append(record.id)
                answer.sums.append(XXH64.hash(record.bytes))
            }
            answer.more = answer.ids.count < records.count || records.count == RecordSumsRequest.records
            return .success(CallBodyCodec.encode(answer))
        } catch {
            return .failure(Status(storeError: error))
        }
    }
}
