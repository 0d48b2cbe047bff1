extension UInt64 {
    /// A number far above this one; the maximum if that would overflow.
    var advancedFar: UInt64 {
        let (far, isBeyond) = addingReportingOverflow(1 << 40)
        return isBeyond ? .max : far
    }
}
