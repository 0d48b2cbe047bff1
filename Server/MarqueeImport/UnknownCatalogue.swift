package import MarqueeCatalogue
import MarqueeModel
package import MarqueeStore

/// A placeholder for a catalogue that can't be read: accepts every change that is valid by itself. The catalogue's
/// owner decides whether it fits.
package struct UnknownCatalogue: CatalogueWriter {
    package init() {}

    /// - Throws: `invalid`, always.
    package func snapshot(_ receive: (Change) -> Void) throws(StoreError) -> LogHead {
        throw StoreError(.invalid, "the catalogue can't be read here")
    }

    package func write(_ writes: [StoreWrite]) throws(StoreError) -> [StoreOutcome] {
        writes.map { write in
            guard case .catalogue(_, let changes, _) = write else { return .refused("an import writes changes only") }
            for (index, change) in changes.enumerated() {
                guard let reason = CatalogueBounds.refusal(of: change) else { continue }
                return .refused("\(RefusedChange(index, reason))")
            }
            return .done(revision: 0, changed: true)
        }
    }
}
