import Foundation
import Testing

/// An app that is tested with MarqueeTesting must not get the server.
@Suite struct ImportTests {
    private static let allowed: Set<String> = [
        "Foundation", "Observation", "MarqueeLocks", "Dispatch", "SwiftUI", "NIOCore", "NIOPosix", "MarqueeClient",
        "MarqueeScreenModels", "MarqueeModel", "MarqueeDiff", "MarqueeLayout", "MarqueeWire",
    ]

    @Test(arguments: ["MarqueeTesting", "MarqueeScreenModels", "MarqueeSwiftUI"])
    func aProductForAppsImportsNothingOfTheServer(product: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "Client/\(product)")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        #expect(!paths.isEmpty)
        for path in paths {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            let imports = text.split(separator: "\n").compactMap { line -> String? in
                let words = line.split(separator: " ")
                guard let index = words.firstIndex(of: "import"), words[..<index].allSatisfy({ $0 == "public" })
                else { return nil }
                return words.dropFirst(index + 1).first.map { String($0) }
            }
            #expect(Self.allowed.isSuperset(of: imports), "\(path) imports \(imports)")
        }
    }
}
