import MarqueeModel

/// The size of tests that could go on for as long as one likes. Their judgements scale with it.
package enum Extent {
    /// `MARQUEE_FULL_SIZE=1` asks for the full sizes, as before a release; otherwise each test has a size that fits
    /// into every run of `make test`.
    package static let isFull = TestEnvironment.isOn("MARQUEE_FULL_SIZE")

    /// The size of this run.
    package static func of<Size>(_ usual: Size, full: Size) -> Size { isFull ? full : usual }

    /// The size of this run, or the number that a variable of the environment sets in its place.
    ///
    /// - Parameter refuse: is told about a value that isn't a whole number of at least `least`, and is ignored.
    package static func number(
        _ variable: String, _ usual: Int, full: Int, least: Int = 1, refuse: (String) -> Void
    ) -> Int {
        guard let text = TestEnvironment.variable(variable) else { return of(usual, full: full) }
        if let number = Int(text), number >= least { return number }
        refuse("\(variable)=\(text): a whole number of at least \(least) is needed")
        return of(usual, full: full)
    }
}
