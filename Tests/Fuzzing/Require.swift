/// Stops the process unless a property holds. Like `precondition`, but it says what is wrong in optimized builds too:
/// that is what is fuzzed.
func require(
    _ condition: Bool, _ property: @autoclosure () -> String = "", file: StaticString = #file, line: UInt = #line
) {
    if !condition { fatalError(property(), file: file, line: line) }
}
