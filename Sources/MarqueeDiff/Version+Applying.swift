extension Version {
    /// The version that `patch` leads to. Costs what changed, beside the copy of the list's references.
    ///
    /// - Throws: when the patch starts elsewhere, is broken, or does not lead to the version it names; see
    ///   `PatchError.Code`.
    package func applying(_ patch: Patch) throws(PatchError) -> Version {
        try PatchWalk(patch, over: self).target()
    }

    /// The same, with what happened to the places of the items.
    package func applyingWithTransition(
        _ patch: Patch
    ) throws(PatchError) -> (version: Version, transition: ListTransition) {
        let walk = try PatchWalk(patch, over: self)
        return (try walk.target(), walk.transition)
    }
}

extension Patch {
    /// The sum that this patch really leads to, computed from the base's and from what changed, without building the
    /// list. A patch is fit to be sent when it equals `target`.
    ///
    /// - Throws: when the patch starts elsewhere or is broken.
    package func incrementalTargetSum(from base: Version) throws(PatchError) -> UInt64 {
        try PatchWalk(self, over: base).sum
    }
}
