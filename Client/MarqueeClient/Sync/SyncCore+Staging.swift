import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension SyncCore {
    /// Adds a part of a staged version, which stays invisible until its view joins.
    mutating func stage(_ part: Part, flags: FrameFlags, bytes: Int) -> [Action] {
        do throws(WireError) {
            if let complete = try link.staged.append(part, isFirst: flags.contains(.first), bytes: bytes) {
                stage(complete.patch, of: part.handle, bytes: complete.bytes)
            }
        } catch {
            // An error here surfaces with the join that needs the version, and is repaired then.
            note(part.handle, nil, base: part.base, target: part.target, message: "staged: \(error)")
        }
        guard link.staged.fit(into: Int(clamping: limits.cutBytes)) else {
            return broken(.resourceExhausted, "CUT_TOO_LARGE", "more was staged than is allowed")
        }
        return []
    }

    private mutating func stage(_ patch: Patch, of handle: UInt64, bytes: Int) {
        link.staged.drop(handle)
        do throws(PatchError) {
            guard let base = stageBase(patch, handle: handle) else {
                throw PatchError(.otherBase, "it starts from a version that the server was not told about")
            }
            link.staged.keep(try base.applying(patch), of: handle, bytes: bytes)
        } catch {
            note(
                handle, nil, base: patch.base, target: patch.target, computed: error.computed,
                message: "staged: \(error.message)")
        }
    }
}
