import Foundation
import Testing

extension TestCertificates {
    /// Replaces a certificate by another one for the same key, by the same authority.
    /// - Parameters:
    ///   - who: `server` or `client`.
    ///   - begins: when it becomes valid, in seconds from now.
    ///   - ends: when it expires, in seconds from now.
    func issue(_ who: String, begins: TimeInterval = -3_600, ends: TimeInterval) throws {
        try openssl(
            "req", "-new", "-key", path("\(who).key"), "-subj", who == "server" ? "/CN=localhost" : "/CN=publisher",
            "-out", path("\(who).csr"))
        try openssl(
            "ca", "-config", settings(), "-batch", "-notext", "-in", path("\(who).csr"), "-out", path("\(who).pem"),
            "-startdate", Self.time(begins), "-enddate", Self.time(ends))
    }

    func revoke(_ who: String) throws { try openssl("ca", "-config", settings(), "-revoke", path("\(who).pem")) }

    /// Writes the authority's list of revoked certificates.
    /// - Parameter ends: when the next one is due, in seconds from now.
    func writeList(ends: TimeInterval = 86_400) throws {
        try openssl(
            "ca", "-config", settings(), "-gencrl", "-crl_nextupdate", Self.time(ends), "-out", path("crl.pem"))
    }

    /// The settings of `openssl ca`, and its list of certificates.
    private func settings() throws -> String {
        let place = path("ca.cnf")
        guard !FileManager.default.fileExists(atPath: place) else { return place }
        let text = """
            [ca]
            default_ca = authority
            [authority]
            database = \(path("index.txt"))
            new_certs_dir = \(path(""))
            certificate = \(path("ca.pem"))
            private_key = \(path("ca.key"))
            rand_serial = yes
            unique_subject = no
            default_md = sha256
            policy = policy
            x509_extensions = extensions
            [policy]
            commonName = supplied
            [extensions]
            basicConstraints = CA:FALSE
            subjectAltName = DNS:localhost,IP:127.0.0.1
            """
        try text.write(toFile: place, atomically: true, encoding: .utf8)
        try "".write(toFile: path("index.txt"), atomically: true, encoding: .utf8)
        return place
    }

    private static func time(_ seconds: TimeInterval) -> String {
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        return Date(timeIntervalSinceNow: seconds).formatted(style).replacing("T", with: "")
    }

    private func openssl(_ arguments: String...) throws {
        let (process, errors) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let words = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(String(decoding: words, as: UTF8.self))")
    }
}
