/// A key that a person pressed.
enum Key: Hashable, Sendable {
    case up, down, left, right
    case pageUp, pageDown, home, end
    case tab, backTab
    case enter, backspace, escape
    case character(Character)
    /// A letter typed with Ctrl, in lower case.
    case control(Character)
}
