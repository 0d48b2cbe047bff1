extension Hub {
    /// Visits all variants, but does little for each: some microseconds for a thousand.
    func variantCounts() -> VariantCounts {
        VariantCounts(
            subscribers: table.variants.map { ($0.key, $0.value.subscribers) }, contents: table.contents.count,
            idle: idle.count, idleBytes: idle.bytes)
    }

    /// The variants with these handles that still exist, in this order.
    func variantReports(_ handles: [UInt64]) -> [VariantReport] {
        handles.compactMap { handle in
            guard let variant = table.variants[handle], let content = table.contents[variant.content] else {
                return nil
            }
            return VariantReport(
                handle: handle, content: variant.content, key: variant.key, subscribers: variant.subscribers,
                items: content.current.version.items.count, sum: content.current.version.sum,
                since: content.current.since.catalogueRevision)
        }
    }
}
