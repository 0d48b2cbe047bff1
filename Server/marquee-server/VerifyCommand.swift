import ArgumentParser
import MarqueeStore

/// `marquee-server verify`
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check everything in a data folder against its checksums, even while it is served.",
        discussion: """
            Every row of a data folder carries a checksum. This reads all of them and changes nothing. What is damaged is \
            printed to standard output, one line each, and the command ends with \(CommandFailure.Code.badData.rawValue) if \
            anything is.

            The search index is derived from the catalogue: --repair rebuilds it if it is damaged. Stop the server for that.

            For anything else, create a new data folder from a backup with 'restore'. A catalogue can also be imported \
            anew: move catalogue.sqlite away and import again; everybody's favorites are kept.

              marquee-server verify --data data
              marquee-server verify --repair --data data
            """)

    @Flag(help: "Rebuild the search index if it is damaged.")
    var repair = false

    @OptionGroup var data: StoredDataOptions

    func run() throws {
        Console.surviveClosedPipes()
        var result = try verified()
        if repair, result.isIndexDamaged {
            for finding in result.findings { Console.show("\(finding)\n") }
            try rebuildIndex()
            Console.show("\(data.folder): the search index was rebuilt\n")
            result = try verified()
        }
        for finding in result.findings { Console.say("\(finding)") }
        guard result.isSound else {
            let count = counted(result.findings.count + result.more, "thing")
            let rest = result.more > 0 ? ", \(result.more) of them not named" : ""
            let advice =
                result.isIndexDamaged && !repair
                ? ". The search index can be rebuilt while no server has the folder: \(MarqueeServerCommand.name) verify "
                    + "--repair --data \(data.folder)" : ""
            throw CommandFailure(.badData, "\(data.folder) is damaged: \(count)\(rest)\(advice)")
        }
        let counts = result.counts.summary.map { "; \($0)" } ?? ""
        Console.say("\(data.folder) is sound: \(counted(result.rows, "row"))\(counts)")
    }

    private func verified() throws(CommandFailure) -> Verification {
        do throws(StoreError) {
            return try Verification(folder: data.folder)
        } catch {
            throw CommandFailure(error, folder: data.folder)
        }
    }

    private func rebuildIndex() throws(CommandFailure) {
        do throws(StoreError) {
            let store = try SQLiteStore(folder: data.folder)
            try store.rebuildSearch()
            try store.close()
        } catch {
            throw CommandFailure(error, folder: data.folder)
        }
    }
}
