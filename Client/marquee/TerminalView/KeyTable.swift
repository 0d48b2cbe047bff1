/// A command that a person gives with a key, except while typing a search.
enum Command: Hashable, Sendable, CaseIterable {
    case up, down, left, right
    case nextSection, previousSection
    case pageUp, pageDown, halfPageUp, halfPageDown
    case start, end, sectionStart, sectionEnd
    case open, back, dismiss
    case search, facets, favorite, favorites, actions
    case sort, window
    case help, suspend, quit
}

/// Keys that belong together: one line of the help.
struct KeyBinding: Sendable {
    /// As a person knows the keys.
    var label: String
    /// A description of the keys' effect, in each language.
    var english: String
    var korean: String
    var commands: [Key: Command]

    init(_ label: String, _ english: String, _ korean: String, _ commands: [Key: Command]) {
        self.label = label
        self.english = english
        self.korean = korean
        self.commands = commands
    }
}

/// Every key that does something. The help shows this list and keys are looked up in it, so the two can't differ.
enum KeyTable {
    static let bindings: [KeyBinding] = [
        KeyBinding(
            "← ↓ ↑ →, h j k l", "move", "이동",
            [
                .left: .left, .down: .down, .up: .up, .right: .right, .character("h"): .left, .character("j"): .down,
                .character("k"): .up, .character("l"): .right,
            ]),
        KeyBinding(
            "Tab, Shift-Tab", "next, previous section", "다음, 이전 섹션",
            [.tab: .nextSection, .backTab: .previousSection]),
        KeyBinding(
            "PgDn, PgUp, Ctrl-F, B", "a page down, up", "한 화면 아래로, 위로",
            [
                .pageDown: .pageDown, .pageUp: .pageUp, .control("f"): .pageDown, .control("b"): .pageUp,
                .character(" "): .pageDown,
            ]),
        KeyBinding(
            "Ctrl-D, Ctrl-U", "half a page down, up", "반 화면 아래로, 위로",
            [.control("d"): .halfPageDown, .control("u"): .halfPageUp]),
        KeyBinding(
            "Home, End, g, G", "first, last item", "처음, 끝 항목",
            [.home: .start, .end: .end, .character("g"): .start, .character("G"): .end]),
        KeyBinding(
            "<, >", "first, last row of a list", "목록의 처음, 끝 줄",
            [.character("<"): .sectionStart, .character(">"): .sectionEnd]),
        KeyBinding("Enter", "open", "열기", [.enter: .open]),
        KeyBinding("Backspace, Esc", "back", "뒤로", [.backspace: .back, .escape: .dismiss]),
        KeyBinding("/", "search", "검색", [.character("/"): .search]),
        KeyBinding(
            "v, Ctrl-V", "a value that matches must have", "결과가 가질 값",
            [.character("v"): .facets, .control("v"): .facets]),
        KeyBinding(
            "f", "favorite: ☆ until confirmed, then ★", "즐겨찾기: 확인 전 ☆, 확인 후 ★", [.character("f"): .favorite]),
        KeyBinding("F", "my favorites", "내 즐겨찾기 목록", [.character("F"): .favorites]),
        KeyBinding("a", "actions of the item and its header", "항목과 머리글의 동작", [.character("a"): .actions]),
        KeyBinding("s", "another order", "정렬 바꾸기", [.character("s"): .sort]),
        KeyBinding("m", "more, or less, of a section", "섹션 더보기, 접기", [.character("m"): .window]),
        KeyBinding("?", "these keys", "키 목록", [.character("?"): .help]),
        KeyBinding("Ctrl-Z", "stop; the shell's fg continues", "멈춤; 셸의 fg로 계속", [.control("z"): .suspend]),
        KeyBinding("q, Ctrl-C", "quit", "끝내기", [.character("q"): .quit, .control("c"): .quit]),
    ]

    /// The command of each key.
    static let commands: [Key: Command] = bindings.reduce(into: [:]) { table, binding in
        table.merge(binding.commands) { first, _ in first }
    }
}
