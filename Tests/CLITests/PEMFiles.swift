import Foundation

/// A certificate and its key, in a folder of their own. The key is the example of RFC 8410.
final class PEMFiles {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-pem-\(UUID().uuidString)")
    var certificate: String { folder.appending(path: "certificate.pem").path }
    var key: String { folder.appending(path: "key.pem").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.certificateText.write(toFile: certificate, atomically: true, encoding: .utf8)
        try Self.keyText.write(toFile: key, atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let keyText = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
        -----END PRIVATE KEY-----

        """

    private static let certificateText = """
        -----BEGIN CERTIFICATE-----
        MIIBNDCB56ADAgECAhQq33CzcYdv/sIZlx8eakYIjuLvfzAFBgMrZXAwDzENMAsG
        A1UEAwwEdGVzdDAgFw0yNjExMjcxODI2NDNaGA8yMTI2MTEwMzE4MjY0M1owDzEN
        MAsGA1UEAwwEdGVzdDAqMAUGAytlcAMhABm/RAlphM3+hUG6wWfcO5bIUIaqMLa2
        ywxcOK1wMWbho1MwUTAdBgNVHQ4EFgQUoozB+G5ZYNPgOudcliyXqNRIKTwwHwYD
        VR0jBBgwFoAUoozB+G5ZYNPgOudcliyXqNRIKTwwDwYDVR0TAQH/BAUwAwEB/zAF
        BgMrZXADQQDMCepf1vLZz4PtTlBAF2BlIjCFiyBoyLDdAZKOwxbfeXxWzdPvMOq1
        W9wcVI56gbxd5oBtj8bdGgqa2h58YekH
        -----END CERTIFICATE-----

        """
}
