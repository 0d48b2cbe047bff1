extension UInt64 {
    /// A number far above this one, or the highest of all.
    var advancedFar: UInt64 {
        let (far, isBeyond) = addingReportingOverflow(1 << 40)
        return isBeyond ? .max : far
    }
}
