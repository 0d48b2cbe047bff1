import ArgumentParser
import MarqueeScreens
import MarqueeStore
import MarqueeTypes

/// `marquee-server check`
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a programme file.",
        discussion: """
            Prints every problem with its line and exits with \(CommandFailure.Code.badData.rawValue) when there is \
            one. Warnings are printed too but are not failures: a screen whose layouts leave no room for its title, a \
            pool that is defined twice with different choices, a list of nothing. With --data it also warns of pages, lists \
            and records of a facet that the programme names but the catalogue lacks or has empty, and so of pools \
            that can't be filled. The catalogue's types apply then, unless --types gives others: then every reason why \
            these can't replace the catalogue's is a problem too.

              marquee-server check programme.yaml
              marquee-server check programme.yaml --data data
              marquee-server check programme.yaml --types types.yaml
            """)

    @Argument(help: ArgumentHelp("The programme file.", valueName: "programme"))
    var file: String

    @Option(
        name: .customLong("data"),
        help: ArgumentHelp("A data folder to check the programme against, even one in use.", valueName: "dir"))
    var folder: String?

    @Option(help: ArgumentHelp("The declaration of the record types that the programme shows.", valueName: "file"))
    var types: String?

    func validate() throws {
        guard folder?.isEmpty != true else { throw ValidationError("--data is empty") }
    }

    func run() throws {
        let given = try types.map { try ProgrammeSource.types(file: $0, wrong: .badData) }
        let catalogue = try folder.map { try CheckCommand.inventory(of: $0) }
        var reasons: [String] = []
        if let given, let catalogue, let folder { reasons = try CheckCommand.refusals(of: given, catalogue, folder) }
        var source: ProgrammeSource
        do throws(CommandFailure) {
            source = try ProgrammeSource(file: file, types: given ?? catalogue?.typesInForce, wrong: .badData)
        } catch {
            throw CommandFailure(error.code, error.message, details: reasons + error.details)
        }
        if !reasons.isEmpty, let types, let folder {
            throw CommandFailure(.badData, "\(types) can't replace the types in \(folder)", details: reasons)
        }
        if let catalogue {
            let missing = catalogue.warnings(of: source.references)
            source.warnings = (source.warnings + missing).listed
            if let given { source.warnings += catalogue.warnings(of: given, with: source.text) }
        }
        let screens = source.programme.screens
        let sections = screens.reduce(0) { $0 + $1.sections.count }
        for warning in source.warnings { Console.show("\(warning.file):\(warning.line): warning: \(warning.reason)\n") }
        let warnings = source.warnings.isEmpty ? "" : ", \(counted(source.warnings.count, "warning"))"
        Console.say("ok: \(counted(screens.count, "screen")), \(counted(sections, "section"))\(warnings)")
    }

    /// The reasons why types can't replace those in a folder.
    private static func refusals(
        of given: TypeSet, _ catalogue: CatalogueInventory, _ folder: String
    ) throws(CommandFailure) -> [String] {
        do throws(StoreError) {
            return catalogue.refusals(of: given, collections: try StoredCatalogue.collections(in: folder))
        } catch {
            throw CommandFailure(error, folder: folder)
        }
    }

    private static func inventory(of folder: String) throws(CommandFailure) -> CatalogueInventory {
        var inventory = CatalogueInventory()
        do throws(StoreError) {
            try StoredCatalogue.read(folder) { inventory.add($0) }
        } catch {
            throw CommandFailure(error, folder: folder)
        }
        return inventory
    }
}
