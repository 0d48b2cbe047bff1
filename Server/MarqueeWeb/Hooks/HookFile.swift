import Crypto
import Foundation
import MarqueeModel
package import MarqueeTypes
import Yams

/// The hooks that an operator has defined.
package struct HookFile: Sendable {
    let hooks: [String: Hook]

    /// No hooks.
    package init() { hooks = [:] }

    private init(_ hooks: [String: Hook]) { self.hooks = hooks }

    /// Reads hooks from YAML.
    /// - Parameters:
    ///   - file: its name, for messages.
    ///   - secret: reads the file of a secret, named relative to this file.
    /// - Throws: every mistake found.
    package init(
        yaml text: String, file: String, secret: (String) throws -> [UInt8]
    ) throws(FileMistakes) {
        var reader = YAMLReader(file: file)
        var hooks: [String: Hook] = [:]
        if let root = reader.root(text, atMost: Self.maximumBytes),
            let fields = reader.fields(root, "a file of hooks", allowed: ["hooks"]),
            let node = reader.required("hooks", in: fields),
            let entries = reader.entries(node, "'hooks'", atMost: Self.maximumHooks)
        {
            for entry in entries {
                guard let name = reader.text(entry.key, "a hook's name", atMost: Self.maximumText) else { continue }
                if let hook = reader.hook(name, entry.value, secret: secret) { hooks[name] = hook }
            }
        }
        if !reader.mistakes.isEmpty { throw reader.error }
        self.init(hooks)
    }

    /// The most bytes of a file, hooks in it, rules of one, conditions and texts of a condition.
    fileprivate static let maximumBytes = 1 << 20
    fileprivate static let maximumHooks = 64
    fileprivate static let maximumRules = 64
    fileprivate static let maximumConditions = 16
    fileprivate static let maximumText = 4_096
    /// The most members of an object, or elements of a list, in a template.
    fileprivate static let maximumMembers = 1_024
    /// The fewest bytes of a secret.
    fileprivate static let minimumSecret = 16
    fileprivate static let maximumWindow: Int64 = 86_400
    /// The kinds of changes that a hook can make.
    fileprivate static let changes = [
        "put", "merge", "remove", "list", "listItem", "show", "removeList", "choose", "removeChoice", "page",
        "removePage",
    ]
}

extension YAMLReader {
    fileprivate mutating func hook(_ name: String, _ node: Node, secret: (String) throws -> [UInt8]) -> Hook? {
        guard let fields = fields(node, "hook '\(name)'", allowed: ["signature", "repeats", "changes"]) else {
            return nil
        }
        var repeats = false
        if let node = fields["repeats"] {
            guard let value = node.bool else {
                report(node, "'repeats' is true or false")
                return nil
            }
            repeats = value
        }
        var signature: HookSignature?
        if let node = fields["signature"] {
            guard let read = self.signature(node, secret: secret) else { return nil }
            signature = read
        }
        guard let node = required("changes", in: fields),
            let nodes = list(node, "'changes'", atMost: HookFile.maximumRules)
        else { return nil }
        let rules = nodes.compactMap { rule($0) }
        guard !rules.isEmpty else {
            if nodes.isEmpty { report(node, "a hook makes at least one change") }
            return nil
        }
        return Hook(name: name, signature: signature, repeats: repeats, rules: rules)
    }

    private mutating func signature(_ node: Node, secret read: (String) throws -> [UInt8]) -> HookSignature? {
        let keys = ["header", "secret", "prefix", "encoding", "time", "within", "signed"]
        guard let fields = fields(node, "a signature", allowed: keys),
            let header = required("header", in: fields).flatMap({ text($0, "'header'", atMost: HookFile.maximumText) }),
            let secretNode = required("secret", in: fields),
            let path = text(secretNode, "'secret'", atMost: HookFile.maximumText)
        else { return nil }
        var bytes: [UInt8] = []
        do {
            bytes = try read(path)
        } catch {
            report(secretNode, "the secret can't be read: \(error)")
            return nil
        }
        guard bytes.count >= HookFile.minimumSecret else {
            report(secretNode, "the secret in '\(path)' has \(bytes.count) bytes; it needs \(HookFile.minimumSecret)")
            return nil
        }
        var encoding = HookSignature.Encoding.hex
        if let node = fields["encoding"] {
            guard let known = node.string.flatMap(HookSignature.Encoding.init) else {
                report(node, "'encoding' is hex or base64")
                return nil
            }
            encoding = known
        }
        func optional(_ key: String) -> String? {
            fields[key].flatMap { text($0, "'\(key)'", atMost: HookFile.maximumText) }
        }
        let time = optional("time")
        let signed =
            optional("signed")
            ?? (time == nil ? HookSignature.bodyPlace : HookSignature.timePlace + "." + HookSignature.bodyPlace)
        guard signed.contains(HookSignature.bodyPlace), signed.contains(HookSignature.timePlace) == (time != nil) else {
            report(
                fields["signed"] ?? node,
                "'signed' has {body} in it, and {time} if 'time' names a header: a time that isn't signed proves nothing"
            )
            return nil
        }
        var within: Int64 = 300
        if let node = fields["within"] {
            guard time != nil else {
                report(node, "'within' needs 'time', the header with the time of signing")
                return nil
            }
            guard let seconds = integer(node, "'within'", in: 1...HookFile.maximumWindow) else { return nil }
            within = seconds
        }
        return HookSignature(
            header: header, prefix: optional("prefix") ?? "", encoding: encoding, timeHeader: time,
            withinSeconds: within,
            signed: signed, secret: SymmetricKey(data: bytes))
    }

    private mutating func rule(_ node: Node) -> Hook.Rule? {
        guard let fields = fields(node, "a change", allowed: ["when", "each"] + HookFile.changes) else { return nil }
        let named = HookFile.changes.filter { fields[$0] != nil }
        guard named.count == 1, let change = fields[named[0]] else {
            report(node, "a change has one of \(HookFile.changes.joined(separator: ", "))")
            return nil
        }
        guard let template = template(change, depth: 0) else { return nil }
        var rule = Hook.Rule(change: .object([HookTemplate.Member(name: named[0], value: template)]))
        if let node = fields["each"] {
            guard let path = text(node, "'each'", atMost: HookFile.maximumText).flatMap({ self.path($0, node) })
            else { return nil }
            rule.each = path
        }
        if let node = fields["when"] {
            guard let entries = entries(node, "'when'", atMost: HookFile.maximumConditions) else { return nil }
            rule.conditions = entries.compactMap { condition($0.key, $0.value) }
            guard rule.conditions.count == entries.count else { return nil }
        }
        return rule
    }

    private mutating func path(_ text: String, _ node: Node) -> HookPath? {
        guard text.hasPrefix("$"), let path = HookPath(text.dropFirst()) else {
            report(node, "'\(text)' isn't a path; a path is $ and names joined by dots, such as $order.lines")
            return nil
        }
        return path
    }

    private mutating func condition(_ key: Node, _ value: Node) -> Hook.Condition? {
        guard let name = text(key, "a condition", atMost: HookFile.maximumText) else { return nil }
        let source: Hook.Condition.Source
        if name.hasPrefix("$") {
            guard let path = path(name, key) else { return nil }
            source = .path(path)
        } else {
            source = .header(name)
        }
        var allowed: [String] = []
        if case .sequence = value {
            let nodes = list(value, "'\(name)'", atMost: HookFile.maximumConditions) ?? []
            allowed = nodes.compactMap { text($0, "a text of '\(name)'", atMost: HookFile.maximumText) }
        } else if let only = text(value, "'\(name)'", atMost: HookFile.maximumText) {
            allowed = [only]
        }
        return allowed.isEmpty ? nil : Hook.Condition(source: source, allowed: allowed)
    }

    /// The most levels of a template.
    private static var maximumDepth: Int { 32 }

    private mutating func template(_ node: Node, depth: Int) -> HookTemplate? {
        guard depth < Self.maximumDepth else {
            report(node, "a change is at most \(Self.maximumDepth) levels deep")
            return nil
        }
        switch node {
        case .scalar(let scalar):
            // Numbers, true, false and null are JSON's, unless they are quoted.
            if scalar.style == .plain, let value = try? JSONValue(parsing: Array(scalar.string.utf8)) {
                return .value(value)
            }
            guard let template = HookTemplate(text: scalar.string) else {
                report(
                    node,
                    "'\(scalar.string.prefix(64))' has a path that isn't one, such as $a.b or ${a.b}; write $$ for $")
                return nil
            }
            return template
        case .sequence:
            guard let nodes = list(node, "a list", atMost: HookFile.maximumMembers) else { return nil }
            let elements = nodes.compactMap { template($0, depth: depth + 1) }
            return elements.count == nodes.count ? .list(elements) : nil
        case .mapping:
            guard let entries = entries(node, "an object", atMost: HookFile.maximumMembers) else { return nil }
            let members = entries.compactMap { entry -> HookTemplate.Member? in
                guard let name = text(entry.key, "a name", atMost: HookFile.maximumText),
                    let value = template(entry.value, depth: depth + 1)
                else { return nil }
                return HookTemplate.Member(name: name, value: value)
            }
            return members.count == entries.count ? .object(members) : nil
        case .alias:
            report(node, "an alias can't be used here")
            return nil
        }
    }
}
