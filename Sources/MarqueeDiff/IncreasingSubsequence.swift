/// The longest increasing subsequence: what can stay while everything else moves.
enum IncreasingSubsequence {
    /// For each of `values`, which must be distinct, whether it belongs to one longest increasing subsequence. O(n log
    /// n).
    static func longest(of values: [Int]) -> [Bool] {
        // tails[k] is the index of the smallest value that ends an increasing subsequence of length k + 1.
        var tails: [Int] = []
        var predecessors: [Int] = []
        predecessors.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            let length = tailCount(below: value, tails: tails, values: values)
            predecessors.append(length > 0 ? tails[length - 1] : -1)
            if length == tails.count {
                tails.append(index)
            } else {
                tails[length] = index
            }
        }
        var isMember = [Bool](repeating: false, count: values.count)
        var index = tails.last ?? -1
        while index >= 0 {
            isMember[index] = true
            index = predecessors[index]
        }
        return isMember
    }

    /// How many tails have a value below `value`.
    private static func tailCount(below value: Int, tails: [Int], values: [Int]) -> Int {
        // Most lists are nearly in order.
        guard let last = tails.last, values[last] > value else { return tails.count }
        var low = 0
        var high = tails.count - 1
        while low < high {
            let middle = (low + high) / 2
            if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
