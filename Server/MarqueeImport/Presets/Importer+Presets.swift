import MarqueeCatalogue
import MarqueePresetRecords
import MarqueeStore
import MarqueeTypes

extension Importer {
    /// The types that records of presets are read and judged by: those in force, else the presets' own.
    func presetTypes() throws(ImportError) -> TypeSet {
        do throws(FileMistakes) {
            return try TypeSet(types ?? PresetCatalogue.types, file: "types")
        } catch {
            throw ImportError(.store, "the types in force can't be read: \(error)")
        }
    }

    /// Gives a catalogue without types those of the presets, and where it has no programme one that shows them. What is
    /// not known to have none, such as a server's catalogue, is left as it is.
    func putPresetTypes() throws(ImportError) {
        guard types == nil, !(store is UnknownCatalogue) else { return }
        var row = ImportedRow(file: "the presets' types", line: nil, rows: 0, changes: [], isNew: true)
        do throws(StoreError) {
            var (hasTypes, hasProgramme) = (false, false)
            _ = try store.snapshot { change in
                if case .types = change { hasTypes = true }
                if case .programme = change { hasProgramme = true }
            }
            if hasTypes { return }
            row.changes = [.types(PresetCatalogue.types)]
            if !hasProgramme { row.changes.append(.programme(PresetCatalogue.programme)) }
            let outcome = try store.write([.catalogue(key: nil, changes: row.changes, mutation: nil)]).first
            if case .refused(let reason)? = outcome { throw StoreError(.invalid, reason) }
        } catch {
            throw ImportError(.store, "the presets' types can't be put: \(error)", storeError: error)
        }
        if let reason = try keep(row) { throw ImportError(.refused, reason) }
    }
}
