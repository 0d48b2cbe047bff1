import Foundation
import MarqueeTLS
import MarqueeTypes
import Yams

/// A YAML file of settings: the names of options with their values.
///
/// ```yaml
/// data: /var/lib/marquee
/// listen: 0.0.0.0:7420
/// tls-cert: /etc/marquee/server.pem
/// tls-key: /etc/marquee/server.key
/// no-anonymous: true
/// rotate: [main=30, second=60]
/// ```
enum ConfigurationFile {
    private static let maximumBytes = 1 << 20
    /// The option and the variable that name it.
    static let option = "--config"
    static let variable = Settings.variablePrefix + "CONFIG"

    /// The file's path in the arguments, or else in the environment.
    static func path(arguments: [String], environment: [String: String]) -> String? {
        for (index, word) in arguments.enumerated() {
            if word == option { return arguments.dropFirst(index + 1).first }
            if word.hasPrefix("\(option)=") { return String(word.dropFirst(option.count + 1)) }
        }
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Returns: the values by name.
    /// - Throws: `CommandFailure`, which names the file and the line.
    static func read(_ path: String) throws(CommandFailure) -> [String: [String]] {
        let bytes: [UInt8]
        do throws(BoundedFile.Problem) { bytes = try BoundedFile.read(path, limit: maximumBytes) } catch {
            throw CommandFailure(.noInput, "\(path) can't be read: \(error)")
        }
        guard bytes.count <= maximumBytes else {
            throw CommandFailure(.configuration, "\(path) has more than \(maximumBytes >> 20) MiB")
        }
        return try values(String(decoding: bytes, as: UTF8.self), path: path)
    }

    static func values(_ text: String, path: String) throws(CommandFailure) -> [String: [String]] {
        let root: Node?
        do throws(YAMLDocument.Mistake) { root = try YAMLDocument.compose(text) } catch {
            throw CommandFailure(.configuration, "\(path):\(error.line): \(error.reason)")
        }
        guard let root, root.null == nil else { return [:] }
        guard let mapping = root.mapping else {
            throw CommandFailure(.configuration, "\(path): it is a list of options with their values: 'listen: …'")
        }
        var values: [String: [String]] = [:]
        for (key, value) in mapping {
            let line = key.mark.map { ":\($0.line)" } ?? ""
            guard let name = key.scalar?.string, let texts = texts(value) else {
                throw CommandFailure(.configuration, "\(path)\(line): a value is a text, a number, or a list of them")
            }
            guard values.updateValue(texts, forKey: name) == nil else {
                throw CommandFailure(.configuration, "\(path)\(line): '\(name)' is there twice")
            }
        }
        return values
    }

    private static func texts(_ node: Node) -> [String]? {
        if let scalar = node.scalar { return [scalar.string] }
        guard let sequence = node.sequence else { return nil }
        var texts: [String] = []
        for element in sequence {
            guard let scalar = element.scalar else { return nil }
            texts.append(scalar.string)
        }
        return texts
    }
}
