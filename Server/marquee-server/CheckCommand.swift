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
            Prints every problem with its line and ends with \(CommandFailure.Code.badData.rawValue) when there is \
            one. Warnings are printed too and are no failure: a screen whose layouts leave no room for its title, a \
            pool that stands for two different choices, a list of nothing. With --data also what the programme names and the \
            catalogue doesn't have, or has empty: pages, lists, records of a facet, and so pools that can't be filled; its types \
            apply then, unless --types gives others.

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

    @Option(help: ArgumentHelp("The declaration of the record types that it shows.", valueName: "file"))
    var types: String?

    func validate() throws {
        guard folder?.isEmpty != true else { throw ValidationError("--data is empty") }
    }

    func run() throws {
        var catalogue: (inventory: CatalogueInventory, types: TypeSet?)?
        if let folder { catalogue = try read(folder) }
        let types = try types.map { try ProgrammeSource.types(file: $0, wrong: .badData) } ?? catalogue?.types
        var source = try ProgrammeSource(file: file, types: types, wrong: .badData)
        if let catalogue {
            let missing = catalogue.inventory.warnings(of: source.references)
            source.warnings = (source.warnings + missing).sorted { $0.line < $1.line }
        }
        let screens = source.programme.screens
        let sections = screens.reduce(0) { $0 + $1.sections.count }
        for warning in source.warnings { Console.show("\(warning.file):\(warning.line): warning: \(warning.reason)\n") }
        let warnings = source.warnings.isEmpty ? "" : ", \(counted(source.warnings.count, "warning"))"
        Console.say("ok: \(counted(screens.count, "screen")), \(counted(sections, "section"))\(warnings)")
    }

    private func read(_ folder: String) throws(CommandFailure) -> (inventory: CatalogueInventory, types: TypeSet?) {
        var inventory = CatalogueInventory()
        var types: TypeSet?
        do throws(StoreError) {
            try StoredCatalogue.read(folder) { change in
                inventory.add(change)
                // The store has already validated them.
                if case .types(let document) = change { types = try? TypeSet(document, file: "types") }
            }
        } catch {
            throw CommandFailure(error, folder: folder)
        }
        return (inventory, types)
    }
}
