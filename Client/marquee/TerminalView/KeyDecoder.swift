/// Input that arrived at a terminal without a pause.
enum InputBurst: Hashable, Sendable {
    case keys([Key])
    /// Pasted text, which is for a field and never presses keys.
    case text(String)

    /// Many terminals, and programs that paste for a person, send a paste as if it were typed, only all at once. A
    /// person's keys come one at a time; only the same key held down comes several times at once. So different
    /// characters at once are text.
    init(_ keys: [Key]) {
        let characters = keys.compactMap { if case .character(let character) = $0 { character } else { nil } }
        self = Set(characters).count > 1 ? .text(String(keys.compactMap(\.text))) : .keys(keys)
    }
}

extension Key {
    /// The character that the key writes, if it writes one.
    fileprivate var text: Character? {
        switch self {
        case .character(let character): character
        case .enter: "\n"
        case .tab: "\t"
        default: nil
        }
    }
}

/// The bytes that a terminal sends, as keys and pasted text: `(bytes) -> nothing yet`, `pause -> what arrived`.
///
/// Sequences that stand for no key of this program, such as other function keys, reports of a mouse that a program
/// before this one left on, or answers to questions that it asked, are read to their end and dropped: taken apart,
/// their letters would be keys.
struct KeyDecoder: Sendable {
    /// Maximum bytes of a paste that are kept; a field takes far fewer.
    static let maximumPaste = 4_096
    /// Maximum keys of a burst that are kept. No person presses more at once.
    static let maximumKeys = 1_024
    /// Maximum bytes of a sequence; those of keys have at most eight.
    private static let maximumSequence = 32
    /// Maximum scalars of one character, as for text that is shown.
    private static let maximumScalars = Sanitizer.maximumScalarsPerCharacter

    private static let pasteStart = Array("\u{1B}[200~".utf8)
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    private static let escapeByte: UInt8 = 0x1B

    private enum State {
        case ground
        /// After ESC.
        case escape
        /// Between ESC [ or ESC O and the last byte.
        case sequence
        /// In a string for the terminal's own use; it ends with BEL or ESC \.
        case string
        /// Skipping this many bytes.
        case skipping(Int)
        /// In a paste, with this many bytes of its end marker read.
        case paste(Int)
    }

    private let known: [[UInt8]: Key]
    private var state = State.ground
    /// The sequence so far, with ESC.
    private var sequence: [UInt8] = []
    /// The first bytes of a character.
    private var partial: [UInt8] = []
    private var keys: [Key] = []
    /// The text pasted so far; `nil` if nothing was.
    private var pasted: [UInt8]?

    /// - Parameter known: what the terminal's description says keys send, in addition to the usual sequences.
    init(known: [[UInt8]: Key] = [:]) { self.known = known }

    /// Whether a sequence has begun that may have lost its end. A paste is never given up: the rest of it would act as
    /// keys.
    var isIncomplete: Bool {
        switch state {
        case .ground, .paste: false
        case .escape, .sequence, .string, .skipping: true
        }
    }

    /// Whether a paste has begun and not ended.
    var isPasting: Bool { if case .paste = state { true } else { false } }

    mutating func read(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { read(byte) }
    }

    /// Ends a burst after a short silence.
    /// - Returns: the burst; `nil` if nothing arrived, or a paste isn't over.
    mutating func pause() -> InputBurst? {
        // The Escape key; all sequences come at once.
        if case .escape = state {
            add(.escape)
            state = .ground
        }
        return isPasting ? nil : take()
    }

    /// Ends a burst after so long a silence that an unfinished sequence must have lost its end.
    mutating func giveUp() -> InputBurst? {
        guard isIncomplete else { return nil }
        state = .ground
        partial = []
        return take()
    }

    private mutating func take() -> InputBurst? {
        defer {
            keys = []
            pasted = nil
        }
        if let pasted { return .text(String(decoding: pasted, as: UTF8.self)) }
        return keys.isEmpty ? nil : InputBurst(keys)
    }

    // MARK: - Bytes

    private mutating func read(_ byte: UInt8) {
        switch state {
        case .ground: readPlain(byte)
        case .escape: readAfterEscape(byte)
        case .sequence: readInSequence(byte)
        case .string:
            switch byte {
            case 0x07: state = .ground
            case Self.escapeByte: state = .escape
            default: break
            }
        case .skipping(let count): state = count > 1 ? .skipping(count - 1) : .ground
        case .paste(let matched): readPasted(byte, matched)
        }
    }

    private mutating func readPlain(_ byte: UInt8) {
        if byte >= 0x80 { return readPart(byte) }
        partial = []
        switch byte {
        case Self.escapeByte: state = .escape
        case 0x09: add(.tab)
        case 0x0A, 0x0D: add(.enter)
        case 0x08, 0x7F: add(.backspace)
        // Ctrl with a letter sends the letter's place in the alphabet; four signs follow.
        case 0x01...0x1A: add(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x1C: add(.control("\\"))
        case ..<0x20: break
        default: add(.character(Character(Unicode.Scalar(byte))))
        }
    }

    /// A byte of a character of several bytes, in UTF-8.
    private mutating func readPart(_ byte: UInt8) {
        if byte >= 0xC0 { partial = [] }
        partial.append(byte)
        guard let first = partial.first, first >= 0xC2 else { return partial = [] }
        let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard partial.count >= count else { return }
        defer { partial = [] }
        var (bytes, decoder) = (partial.makeIterator(), UTF8())
        guard case .scalarValue(let scalar) = decoder.decode(&bytes), scalar.properties.generalCategory != .control
        else { return }
        // Marks and joined parts belong to the character before.
        if case .character(let last)? = keys.last, last.unicodeScalars.count < Self.maximumScalars {
            let joined = String(last) + String(scalar)
            if joined.count == 1 {
                keys[keys.count - 1] = .character(Character(joined))
                return
            }
        }
        add(.character(Character(scalar)))
    }

    private mutating func readAfterEscape(_ byte: UInt8) {
        switch byte {
        case Self.escapeByte: break
        case UInt8(ascii: "["), UInt8(ascii: "O"):
            sequence = [Self.escapeByte, byte]
            state = .sequence
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string
        case 0x20...0x2F: state = .skipping(1)
        // A key pressed with Alt; none of those does anything.
        default: state = .ground
        }
    }

    private mutating func readInSequence(_ byte: UInt8) {
        switch byte {
        case 0x40...0x7E:
            sequence.append(byte)
            state = .ground
            switch sequence {
            case Self.pasteStart:
                // With a paste, whatever else comes at once isn't typed.
                keys = []
                pasted = pasted ?? []
                state = .paste(0)
            // The position of an old mouse report; the name of a function key on the Linux console.
            case [Self.escapeByte, UInt8(ascii: "["), UInt8(ascii: "M")]: state = .skipping(3)
            case [Self.escapeByte, UInt8(ascii: "["), UInt8(ascii: "[")]: state = .skipping(1)
            default: if let key = known[sequence] ?? Self.usual[sequence] { add(key) }
            }
        case 0x20...0x3F: if sequence.count < Self.maximumSequence { sequence.append(byte) }
        case Self.escapeByte: state = .escape
        default:
            state = .ground
            readPlain(byte)
        }
    }

    private mutating func readPasted(_ byte: UInt8, _ matched: Int) {
        if byte == Self.pasteEnd[matched] {
            state = matched + 1 == Self.pasteEnd.count ? .ground : .paste(matched + 1)
            return
        }
        // That wasn't the end. ESC occurs in the marker only as its first byte.
        keep(Self.pasteEnd[..<matched])
        if byte == Self.escapeByte {
            state = .paste(1)
        } else {
            keep([byte])
            state = .paste(0)
        }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let room = Self.maximumPaste - (pasted?.count ?? 0)
        pasted?.append(contentsOf: bytes.prefix(max(0, room)))
    }

    private mutating func add(_ key: Key) {
        guard pasted == nil, keys.count < Self.maximumKeys else { return }
        keys.append(key)
    }

    /// The sequences of terminals of the ANSI family, in both of their modes.
    private static let usual: [[UInt8]: Key] = {
        let texts: [(String, Key)] = [
            ("[A", .up), ("OA", .up), ("[B", .down), ("OB", .down), ("[C", .right), ("OC", .right), ("[D", .left),
            ("OD", .left), ("[H", .home), ("OH", .home), ("[1~", .home), ("[7~", .home), ("[F", .end), ("OF", .end),
            ("[4~", .end), ("[8~", .end), ("[5~", .pageUp), ("[6~", .pageDown), ("[Z", .backTab), ("OM", .enter),
            ("[3~", .backspace),
        ]
        return Dictionary(uniqueKeysWithValues: texts.map { ([escapeByte] + Array($0.0.utf8), $0.1) })
    }()
}
