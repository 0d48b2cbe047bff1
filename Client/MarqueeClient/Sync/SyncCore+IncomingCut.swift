import MarqueeDiff
import MarqueeModel
import MarqueeWire

extension SyncCore {
    /// The frames of an incomplete cut.
    struct IncomingCut {
        var joins: [Join] = []
        var patches: [(handle: UInt64, patch: Patch, change: CutChange)] = []
        var assembler = PatchAssembler()
        var openHandle: UInt64?
        var change = CutChange()
        var repair: UInt32?
        var bytes = 0
        /// The reason why the cut can't be applied; it is read to its end and then refused.
        var problem: Problem?
    }

    /// The reason why a cut can't be applied, and the variant concerned.
    struct Problem: Error {
        var handle: UInt64?
        var message: String
        /// The base of the faulty patch, if there is one.
        var base: UInt64?
        var target: UInt64?
        var computed: UInt64?
    }

    /// Everything found wrong with a cut; not empty.
    struct Refusal: Error {
        var problems: [Problem]

        init(_ problems: [Problem]) { self.problems = problems }
    }
}

extension SyncCore.IncomingCut {
    /// Adds a part of a patch; the parts of one patch are consecutive.
    mutating func append(_ part: Part) {
        guard problem == nil else { return }
        change = change.joined(part.cut)
        if let openHandle, openHandle != part.handle {
            problem = SyncCore.Problem(handle: openHandle, message: "the parts of two patches are mixed")
            return
        }
        do {
            openHandle = part.handle
            if let patch = try assembler.append(part) {
                guard !patches.contains(where: { $0.0 == part.handle }) else {
                    problem = SyncCore.Problem(handle: part.handle, message: "a cut has two patches for one handle")
                    return
                }
                patches.append((part.handle, patch, part.cut))
                openHandle = nil
                assembler = PatchAssembler()
            }
        } catch {
            problem = SyncCore.Problem(handle: part.handle, message: "\(error)")
        }
    }
}
