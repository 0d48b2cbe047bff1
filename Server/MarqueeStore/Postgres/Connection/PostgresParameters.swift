// A statement's parameters, in the form that libpq takes.

extension [PostgresValue] {
    func withTypes(_ body: (Int32, UnsafePointer<UInt32>) -> Int32) -> Int32 {
        let types = map(\.typeID)
        return types.withUnsafeBufferPointer { buffer in
            // Without parameters there is no address; libpq doesn't read this one.
            withUnsafePointer(to: UInt32(0)) { body(Int32(clamping: buffer.count), buffer.baseAddress ?? $0) }
        }
    }
}

extension [[UInt8]?] {
    /// Calls `body` with the addresses of all values; `nil` for NULL.
    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        // One block of memory, so that no value moves while others are lent.
        var block: [UInt8] = []
        block.reserveCapacity(reduce(1) { $0 + ($1?.count ?? 0) })
        var offsets: [Int?] = []
        for value in self {
            offsets.append(value == nil ? nil : block.count)
            if let value { block += value }
        }
        block.append(0)
        return block.withUnsafeBytes { bytes in
            let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            return body(offsets.map { offset in offset.flatMap { offset in start.map { $0 + offset } } })
        }
    }
}
