import ArgumentParser
import MarqueeStore

/// `marquee-server verify`
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare everything in a data folder with its sums, also while it is served.",
        discussion: """
            Every row of a data folder carries a checksum. This reads all of them, names what is damaged on standard output, one line each, and \
            changes nothing. It ends with \(CommandFailure.Code.badData.rawValue) when something is damaged.

            What to do then: make a new data folder from a backup with 'restore'. A catalogue can also be imported anew: move \
            catalogue.sqlite away, import, and everybody's favorites are still there.

              marquee-server verify --data data
            """)

    @OptionGroup var data: StoredDataOptions

    func run() throws {
        Console.surviveClosedPipes()
        let result: Verification
        do throws(StoreError) {
            result = try Verification(folder: data.folder)
        } catch {
            throw CommandFailure(error, folder: data.folder)
        }
        for finding in result.findings { Console.say("\(finding)") }
        guard result.isSound else {
            let count = counted(result.findings.count + result.more, "thing")
            let rest = result.more > 0 ? ", \(result.more) of them not named" : ""
            throw CommandFailure(.badData, "\(data.folder) is damaged: \(count)\(rest)")
        }
        Console.say("\(data.folder) is sound: \(counted(result.rows, "row"))")
    }
}
