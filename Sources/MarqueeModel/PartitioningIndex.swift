extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies `predicate`, provided that all later ones do too; `endIndex` if none
    /// does. Tests O(log n) elements.
    @inlinable
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
