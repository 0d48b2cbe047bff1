extension Version {
    /// The version that `patch` leads to. The cost is proportional to the size of the change, except that a patch with
    /// added items reads the hash of each kept id, and that the list's references are copied now and then.
    ///
    /// - Throws: when the patch has a different base, is malformed, or doesn't lead to the version it names; see
    ///   `PatchError.Code`.
    package func applying(_ patch: Patch) throws(PatchError) -> Version {
        try PatchWalk(patch, over: self).target()
    }

    /// The same version, and the transition of the items to it.
    package func applyingWithTransition(
        _ patch: Patch
    ) throws(PatchError) -> (version: Version, transition: ListTransition) {
        let walk = try PatchWalk(patch, over: self)
        return (try walk.target(), walk.transition)
    }
}

extension Patch {
    /// The sum of the version this patch actually leads to, computed from the base's sum and the changes without
    /// building the list. A patch may be sent only if this equals `target`.
    ///
    /// - Throws: when the patch has a different base or is malformed.
    package func incrementalTargetSum(from base: Version) throws(PatchError) -> UInt64 {
        try PatchWalk(self, over: base).sum
    }
}
