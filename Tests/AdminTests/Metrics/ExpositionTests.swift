import MarqueeServer
import Testing

@testable import MarqueeAdmin

struct ExpositionTests {
    private func text(_ kind: Metric.Kind, _ help: String = "What it is.", _ samples: Metric.Sample...) -> String {
        var exposition = Exposition()
        exposition.add(Metric("marquee_things", kind, help) { _ in [] }, samples)
        return exposition.text
    }

    @Test func `A metric has its help, its type and its samples, in this order`() {
        let samples = [
            Metric.Sample(.count(3), [Metric.Label("kind", "a"), Metric.Label("size", "b")]),
            Metric.Sample(.number(0.5)),
        ]
        #expect(
            text(.gauge, "What it is.", samples[0], samples[1]) == """
                # HELP marquee_things What it is.
                # TYPE marquee_things gauge
                marquee_things{kind="a",size="b"} 3
                marquee_things 0.5

                """)
    }

    @Test func `A histogram counts each range with those below it, and ends with one that has no bound`() {
        var histogram = Histogram(bounds: [0.1, 1])
        for value in [0.05, 0.1, 0.5, 7] { histogram.add(value) }
        #expect(
            text(.histogram, "What it is.", Metric.Sample(.histogram(histogram), [Metric.Label("log", "users")])) == """
                # HELP marquee_things What it is.
                # TYPE marquee_things histogram
                marquee_things_bucket{log="users",le="0.1"} 2
                marquee_things_bucket{log="users",le="1"} 3
                marquee_things_bucket{log="users",le="+Inf"} 4
                marquee_things_sum{log="users"} 7.65
                marquee_things_count{log="users"} 4

                """)
    }

    @Test func `What a client chose can't end a label or begin a line`() {
        let label = Metric.Label("reason", "a\"} 1\nmarquee_fake 2\\")
        #expect(
            text(.counter, "A \"help\"\nof \\ two lines", Metric.Sample(.count(1), [label])) == #"""
                # HELP marquee_things A "help"\nof \\ two lines
                # TYPE marquee_things counter
                marquee_things{reason="a\"} 1\nmarquee_fake 2\\"} 1

                """#)
    }

    @Test(arguments: [
        (0.0, "0"), (-2, "-2"), (1_795_457_522.5, "1795457522.5"), (0.1, "0.1"), (1e300, "1e+300"), (.nan, "NaN"),
        (.infinity, "+Inf"), (-.infinity, "-Inf"), (9e14, "900000000000000"),
    ])
    func `Numbers are as Go reads them`(number: Double, text: String) {
        #expect(Exposition.text(of: number) == text)
    }
}
