import MarqueeCatalogue
import MarqueeImport
import MarqueePublisher
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTLS

/// Publishes the rows of an import to a running server.
struct RemoteImport {
    /// The most rows that the server may refuse: each costs one attempt at its publication.
    static let maximumRefusals = 1_000

    /// The result of publishing an import's rows.
    struct Outcome: Hashable {
        var publications = 0
        /// The revision of the server's catalogue.
        var revision: UInt64 = 0
    }

    private let publisher: Publisher
    /// Distinguishes this import's publications from those of others.
    private let name = String(UInt64.random(in: .min ... .max), radix: 36)

    /// - Parameters:
    ///   - tls: `nil` for plain TCP.
    ///   - token: proves who publishes.
    ///   - shouldContinue: polled while waiting.
    init(server: ListenAddress, tls: TLSClient?, token: String?, shouldContinue: @escaping () -> Bool) {
        publisher = Publisher(
            host: server.host, port: server.port, tls: tls, token: token,
            agent: "\(MarqueeServerCommand.name)/\(MarqueeServer.version)", trace: .inherited(),
            shouldContinue: shouldContinue)
    }

    /// Checks that the server can be reached.
    func connect() throws {
        do throws(PublisherError) {
            try publisher.connect()
        } catch {
            throw ending(error, Outcome(), of: nil)
        }
    }

    /// Leaves the server.
    func close() { publisher.close() }

    /// Publishes all rows. A row that the server refuses is bad, and the rest of its publication is sent without it.
    /// - Parameters:
    ///   - report: receives the server's verdict on the rows.
    ///   - refusal: why an import with such a report must not continue; `nil` if it may.
    /// - Throws: when some rows could not be published.
    func publish(
        _ rows: PublishedRows, report: inout ImportReport, refusal: (ImportReport) -> String?
    ) throws -> Outcome {
        let progress = ProgressLine()
        defer { progress.end() }
        var outcome = Outcome()
        var (start, attempts, refused) = (0, 0, Set<Int>())
        // Types that the server lacks go into the first publication.
        var groundwork: [[UInt8]] = []
        while start < rows.entries.count {
            progress.show("\(start) of \(counted(rows.entries.count, "row")) published")
            let range = rows.next(from: start, behind: groundwork)
            let indices = range.filter { !refused.contains($0) }
            attempts += 1
            do throws(PublisherError) {
                let receipt = try publisher.publish(
                    groundwork + indices.flatMap { rows.entries[$0].documents }, key: "import-\(name)-\(attempts)")
                outcome.publications += 1
                outcome.revision = max(outcome.revision, receipt.revision)
                if !receipt.isNew { for index in indices { report.foundUnchanged(rows.entries[index].row) } }
                start = range.upperBound
                groundwork = []
            } catch {
                if groundwork.isEmpty, error.change?.reason == CommitPlan.noTypes, !rows.groundwork.isEmpty {
                    groundwork = try self.groundwork(rows.groundwork, outcome)
                    continue
                }
                guard let change = error.change, refused.count < RemoteImport.maximumRefusals,
                    let index = RemoteImport.row(ofChange: change.index - groundwork.count, in: indices, rows)
                else { throw ending(error, outcome, of: rows) }
                let row = rows.entries[index].row
                progress.end()
                Console.show("\(row.place): \(change.reason)\n")
                report.refuse(row, change.reason)
                refused.insert(index)
                if let reason = refusal(report) {
                    throw CommandFailure(.badData, reason + RemoteImport.remains(outcome))
                }
            }
        }
        return outcome
    }

    private static func row(ofChange change: Int, in indices: [Int], _ rows: PublishedRows) -> Int? {
        guard change >= 0 else { return nil }
        var change = change
        for index in indices {
            if change < rows.entries[index].documents.count { return index }
            change -= rows.entries[index].documents.count
        }
        return nil
    }

    /// The documents that a server without types needs: the types, and a programme if it was given none.
    private func groundwork(_ changes: [Change], _ outcome: Outcome) throws -> [[UInt8]] {
        let builtIn = try ProgrammeSource.builtIn().programme
        let isGiven: Bool
        do throws(PublisherError) {
            isGiven = try publisher.describe() != builtIn.offer
        } catch {
            throw ending(error, outcome, of: nil)
        }
        return try PublishedRows.documents(
            of: changes.filter { if case .programme = $0 { !isGiven } else { true } })
    }

    /// The error of an import that ends early, with what was published before.
    /// - Parameter rows: `nil` if there was nothing to publish yet.
    private func ending(_ error: PublisherError, _ outcome: Outcome, of rows: PublishedRows?) -> any Error {
        if error.code == .cancelled {
            Console.complain("stopped" + RemoteImport.remains(outcome))
            return Interruption.Ended()
        }
        let code: CommandFailure.Code =
            switch error.code {
            case .unreachable: .unavailable
            case .denied: .noPermission
            case .refused: .badData
            default: .temporary
            }
        return CommandFailure(code, error.message + RemoteImport.remains(outcome))
    }

    private static func remains(_ outcome: Outcome) -> String {
        guard outcome.publications > 0 else { return "; nothing was imported" }
        return "; \(counted(outcome.publications, "publication")) made before that took effect. Importing the same "
            + "rows again changes nothing"
    }
}
