import Foundation

/// The settings of a run by libFuzzer, from the environment: `MARQUEE_FUZZ_TARGET` names the target, and
/// `MARQUEE_FUZZ_SEEDS` the folder that its seeds are written to before the run.
private enum LibFuzzer {
    static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["MARQUEE_FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget.named(name) else {
            let known = FuzzTarget.all.map(\.name).joined(separator: ", ")
            FileHandle.standardError.write(Data("there is no target '\(name)'; there are \(known)\n".utf8))
            exit(64)
        }
        return target
    }()

    static func writeSeeds() {
        guard let path = ProcessInfo.processInfo.environment["MARQUEE_FUZZ_SEEDS"], !path.isEmpty else { return }
        do {
            for (number, seed) in try target.seeds().enumerated() {
                let file = URL(filePath: path).appending(path: "seed-\(number)")
                try Data(seed.prefix(target.maximumBytes)).write(to: file)
            }
        } catch {
            FileHandle.standardError.write(Data("the seeds can't be written: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// Called once, before libFuzzer reads its corpus.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzerInitialize(
    _ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?
) -> CInt {
    LibFuzzer.writeSeeds()
    return 0
}

/// Called for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzerTestOneInput(_ bytes: UnsafeRawPointer?, _ count: Int) -> CInt {
    LibFuzzer.target.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
