import MarqueeDiff
import MarqueeModel
import MarqueeWire
import NIOCore

extension FuzzTarget {
    /// Patches. A base and a target are made from the input, and a patch that is either damaged or made up. A patch is
    /// applied exactly if its sum can be computed without applying it, to the version with that sum; and the difference
    /// of two versions leads from one to the other, also by way of frames.
    static let patch = FuzzTarget(name: "patch", maximumBytes: 4 << 10, seeds: PatchFuzzing.seeds) { bytes in
        var input = FuzzInput(bytes)
        let base = PatchFuzzing.version(&input)
        let target = PatchFuzzing.version(&input)
        PatchFuzzing.judgeDifference(from: base, to: target)
        PatchFuzzing.judgeBlindDifference(from: base, to: target)
        var patch = PatchFuzzing.patch(&input, from: base, to: target)
        PatchFuzzing.judge(&patch, over: base)
        PatchFuzzing.judgeScript(patch.script, base: base.items.count, input.remainder())
    }
}

private enum PatchFuzzing {
    /// The most items of a version.
    private static let items = 40

    // MARK: - From bytes

    static func version(_ input: inout FuzzInput) -> Version {
        let head = body(&input)
        var items: [Item] = []
        var known: Set<[UInt8]> = []
        for _ in 0..<input.below(Self.items) {
            let item = item(&input)
            // A version has each id once; ids are compared as bytes.
            if !item.id.isEmpty, known.insert(Array(item.id.utf8)).inserted { items.append(item) }
        }
        return Version(head: head, items: items)
    }

    /// One of few ids, one as it comes but for NUL, which no version may have, or one of two that are equal as text and
    /// not as bytes.
    private static func item(_ input: inout FuzzInput) -> Item {
        let choices = input.byte()
        let id =
            switch choices & 0x1F {
            case 0: input.text().replacing("\0", with: "0")
            case 1: "\u{e9}"
            case 2: "e\u{301}"
            default: "i\(choices & 0x1F)"
            }
        return Item(
            id: id, kind: ItemKind(rawValue: 1 + UInt32(choices >> 7)), subject: choices & 0x40 == 0 ? "" : "s",
            body: body(&input))
    }

    /// A canonical body of a few fields, or bytes as they come.
    private static func body(_ input: inout FuzzInput) -> [UInt8] {
        let choices = input.byte()
        if choices == 0xFF { return input.bytes() }
        var body: [UInt8] = []
        for (bit, tag) in [0x08, 0x12, 0x1D, 0x21].enumerated() where choices & 1 << UInt8(bit) != 0 {
            let value = choices >> 4
            switch tag & 7 {
            case 0: body += [UInt8(tag), value]
            case 2: body += [UInt8(tag), 2, value, value]
            case 5: body += [UInt8(tag), value, 0, 0, 1]
            default: body += [UInt8(tag), value, 0, 0, 0, 0, 0, 0, 1]
            }
        }
        return body
    }

    private static func change(_ input: inout FuzzInput) -> FieldChange {
        let choices = input.byte()
        let cleared = (0..<Int(choices & 3)).map { _ in UInt32(input.byte()) }
        return FieldChange(records: body(&input), cleared: cleared, replace: choices & 4 != 0)
    }

    /// The difference of two versions with something exchanged, or a patch of parts that have nothing to do with each
    /// other.
    static func patch(_ input: inout FuzzInput, from base: Version, to target: Version) -> Patch {
        var patch = Differ.patch(from: base, to: target)
        let choices = input.byte()
        if choices & 1 != 0 { patch.script = input.bytes() }
        if choices & 2 != 0 { patch.adds = (0..<input.below(8)).map { _ in item(&input) } }
        if choices & 4 != 0 { patch.updates = (0..<input.below(8)).map { _ in change(&input) } }
        if choices & 8 != 0 { patch.head = input.bool() ? change(&input) : nil }
        if choices & 16 != 0 { patch.count = Int(Int8(bitPattern: input.byte())) }
        if choices & 32 != 0 { patch.base = input.long() }
        return patch
    }

    // MARK: - Properties

    static func judge(_ patch: inout Patch, over base: Version) {
        let sum: UInt64
        do throws(PatchError) {
            sum = try patch.incrementalTargetSum(from: base)
        } catch {
            require(refusal(of: patch, over: base)?.code == error.code, "\(error.code) twice")
            return
        }
        patch.target = sum ^ 1
        let refusal = refusal(of: patch, over: base)
        require(refusal?.code == .otherTarget && refusal?.computed == sum, "a wrong target is refused")
        patch.target = sum
        do throws(PatchError) {
            let (version, transition) = try base.applyingWithTransition(patch)
            require(version.sum == sum, "a version has the sum that its patch leads to")
            judgeWhole(version)
            require(version.items.count == patch.count && transition.inserted.count == patch.adds.count)
            require(transition.updated.count == patch.updates.count)
            require(base.items.count - transition.deleted.count + transition.inserted.count == patch.count)
        } catch {
            fatalError("a patch whose sum is known can be applied: \(error)")
        }
    }

    private static func refusal(of patch: Patch, over base: Version) -> PatchError? {
        do throws(PatchError) {
            _ = try base.applying(patch)
            return nil
        } catch {
            return error
        }
    }

    /// Nothing of a version depends on how it was made.
    private static func judgeWhole(_ version: Version) {
        let made = Version(head: version.head, items: Array(version.items))
        require(made.sum == version.sum && made.headHash == version.headHash)
        require(ContentManifest(made) == ContentManifest(version))
        require(Set(version.items.map { Array($0.id.utf8) }).count == version.items.count, "ids are unique")
    }

    private static func isSame(_ a: Version, _ b: Version) -> Bool {
        a.sum == b.sum && a.head == b.head && a.items.count == b.items.count
            && zip(a.items, b.items).allSatisfy { Array($0.id.utf8) == Array($1.id.utf8) && $0.body == $1.body }
    }

    static func judgeDifference(from base: Version, to target: Version) {
        let patch = Differ.patch(from: base, to: target)
        let hasHeads = CanonicalBody.isCanonical(base.head) && CanonicalBody.isCanonical(target.head)
        do throws(PatchError) {
            let (version, transition) = try base.applyingWithTransition(patch)
            require(isSame(version, target), "a difference leads to its target")
            judgeWhole(version)
            require(transition == Differ.transition(from: base, to: target))
        } catch {
            require(!hasHeads && error.code == .invalidBody, "a difference can be applied: \(error)")
        }
        judgeParts(patch)
    }

    /// A patch that is split into small frames and joined again is the same.
    private static func judgeParts(_ patch: Patch) {
        var limits = WireLimits.client
        limits.partBytes = WireLimits.minimumFrameBytes
        limits.elementsPerFrame = WireLimits.minimumElements
        guard let encoded = try? PartEncoder.encode(patch, handle: 1, limits: limits) else {
            fatalError("small bodies fit into parts")
        }
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        for index in 0..<encoded.frameCount { decoder.append(encoded.frame(index)) }
        var assembler = PatchAssembler()
        var joined: Patch?
        while let frame = try? decoder.next() {
            require(joined == nil, "the last part is the last")
            guard case .data(let part)? = try? MessageCodec.decode(frame, limits: limits) else { return }
            joined = try? assembler.append(part)
        }
        require(joined == patch, "a patch arrives as it was")
    }

    /// A patch made from hashes alone leads to its target, too.
    static func judgeBlindDifference(from base: Version, to target: Version) {
        guard let patch = Differ.patch(from: ContentManifest(base), to: target) else { return }
        do throws(PatchError) {
            require(isSame(try base.applying(patch), target) || hasOtherKinds(base, target))
        } catch {
            require(error.code == .otherTarget && hasOtherKinds(base, target) || !isCanonical(target), "\(error)")
        }
    }

    /// Whether an item has another kind or subject in the target: hashes don't say.
    private static func hasOtherKinds(_ base: Version, _ target: Version) -> Bool {
        let known = Dictionary(base.items.map { (Array($0.id.utf8), $0) }) { $1 }
        return target.items.contains { item in
            known[Array(item.id.utf8)].map { $0.kind != item.kind || $0.subject != item.subject } ?? false
        }
    }

    private static func isCanonical(_ version: Version) -> Bool {
        ([version.head] + version.items.map(\.body)).allSatisfy { CanonicalBody.isCanonical($0) }
    }

    /// A script that can be read says the same when it is written again.
    static func judgeScript(_ script: [UInt8], base: Int, _ bodies: [UInt8]) {
        let counts = Script.Counts(base: base, target: items, adds: 0, updates: 0)
        if let script = try? Script(decoding: script, counts: counts) {
            require((try? Script(decoding: script.encoded(), counts: counts)) == script)
        }
        guard let canonical = try? CanonicalBody.canonicalize(bodies) else {
            require(!CanonicalBody.isCanonical(bodies))
            return
        }
        require(CanonicalBody.isCanonical(canonical) && canonical.count == bodies.count)
        require(CanonicalBody.isCanonical(bodies) == (canonical == bodies))
    }

    // MARK: - Seeds

    @Sendable static func seeds() -> [[UInt8]] {
        let small: [UInt8] = [3, 2, 5, 1, 6, 1]
        let other: [UInt8] = [3, 3, 6, 1, 5, 2, 7, 1]
        let raw: [UInt8] = [0xFF, 2, 0, 0x08, 7, 3, 0, 1, 65, 0x0F, 1, 0x0F, 2, 0x0F]
        // Keeps one, adds one, keeps one.
        let script: [UInt8] = [1, 6, 0, 4, 0, 6, 4, 0, 3]
        return [
            small + other + [0], small + small + [0], raw + small + [0], raw + raw + [0], small + other + script,
            small + other + [2, 1, 9, 1], small + other + [4, 1, 4, 1], small + other + [8, 1, 2, 1, 2, 1],
            small + other + [16, 2], small + raw + [32, 1, 2, 3, 4, 5, 6, 7, 8],
            small + other + [0] + [0x10, 1, 0x08, 1],
        ]
    }
}
