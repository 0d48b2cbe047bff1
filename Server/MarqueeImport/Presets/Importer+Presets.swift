import MarqueeCatalogue
import MarqueePresetRecords
import MarqueeStore
import MarqueeTypes

extension Importer {
    /// The types by which preset records are read and judged: those in force, else the presets' own.
    func presetTypes() throws(ImportError) -> TypeSet {
        do throws(FileMistakes) {
            return try TypeSet(types ?? PresetCatalogue.types, file: "types")
        } catch {
            throw ImportError(.store, "the types in force can't be read: \(error)")
        }
    }

    /// Gives a catalogue without types those of the presets, and a programme that shows them if it has none. For a
    /// catalogue that can't be read, `keep` decides whether it has any.
    func putPresetTypes() throws(ImportError) {
        guard types == nil else { return }
        var row = ImportedRow(file: "the presets' types", line: nil, rows: 0, changes: [], isNew: true)
        row.changes = [.types(PresetCatalogue.types)]
        if store is UnknownCatalogue {
            row.changes.append(.programme(PresetCatalogue.programme))
            row.isGroundwork = true
        } else {
            do throws(StoreError) {
                guard try giveTypes(&row.changes) else { return }
            } catch {
                throw ImportError(.store, "the presets' types can't be put: \(error)", storeError: error)
            }
        }
        if let reason = try keep(row) { throw ImportError(.refused, reason) }
    }

    /// - Parameter changes: the changes to make; a programme is added where there is none.
    /// - Returns: whether there were no types.
    private func giveTypes(_ changes: inout [Change]) throws(StoreError) -> Bool {
        var (hasTypes, hasProgramme) = (false, false)
        _ = try store.snapshot { change in
            if case .types = change { hasTypes = true }
            if case .programme(let text) = change { hasProgramme = text != placeholder }
        }
        if hasTypes { return false }
        if !hasProgramme { changes.append(.programme(PresetCatalogue.programme)) }
        let outcome = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)]).first
        if case .refused(let reason)? = outcome { throw StoreError(.invalid, reason) }
        return true
    }
}
