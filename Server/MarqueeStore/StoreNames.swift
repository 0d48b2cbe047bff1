/// Draws random names and numbers, such as the cluster's name and the epochs of a new store.
struct StoreNames {
    /// SplitMix64, for repeatable names; `nil` for the system's randomness.
    private var seed: UInt64?

    init() {}
    init(seed: UInt64) { self.seed = seed }

    private mutating func next() -> UInt64 {
        guard let state = seed else { return UInt64.random(in: UInt64.min...UInt64.max) }
        let advanced = state &+ 0x9e37_79b9_7f4a_7c15
        seed = advanced
        var mixed = (advanced ^ (advanced >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Never 0, which stands for "no log".
    mutating func nextEpoch() -> UInt64 { max(1, next()) }

    /// 32 hexadecimal digits.
    mutating func nextCluster() -> String {
        StoreNames.hexadecimal(next()) + StoreNames.hexadecimal(next())
    }

    static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
