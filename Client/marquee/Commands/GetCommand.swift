import ArgumentParser
import Foundation
import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON

struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints a screen as it is now.",
        discussion: """
            If no server can be reached, the mirror's copy is printed, and a note on standard error
            says so and gives its age.

            EXAMPLES
              marquee get home
              marquee get detail/27205 --locale ko
              marquee get home --window genres=12 --rows 0
              marquee get home --offline
              marquee get home --as plan=free,audience=korea --at 2026-12-24T20:00+09:00
              marquee get home --draft spring
              marquee get home --descriptors types.yaml      the fields of records, too
              marquee get home --output ndjson --bodies >> Samples.ndjson
              marquee get home --output ndjson | jq '.sections[].items[].content.title'
            """)

    @Argument(help: "The screen, such as home or detail/27205.", completion: ScreenName.completion)
    var screen: ScreenName

    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var recordOptions: RecordOptions
    @Flag(
        help: ArgumentHelp(
            """
            With --output ndjson, add the bytes that sections and items consist of, so that an app's previews and \
            tests can show the screen from a file.
            """))
    var bodies = false
    @OptionGroup(title: "As another reader, at another moment, with a draft") var preview: PreviewOptions
    @OptionGroup var source: ScreenSource

    func validate() throws { try preview.check(offline: source.offline) }

    func run() async throws {
        let records = try recordOptions.reader()
        let (answer, isStored) = try await source.loadNamingOrigin(
            screen.id, reader: preview.reader, at: preview.at, draft: preview.draft)
        switch output.format {
        case .lines:
            let age = Words.ago(answer.asOf.timeIntervalSince1970, now: Date().timeIntervalSince1970)
            let note = isStored ? "(stored, as of \(age))" : ""
            try Output.standard.write(output.printer(records).lines(of: answer, note: note))
        case .ndjson:
            try Output.standard.write(
                NDJSONWriter.snapshot(
                    answer, status: nil, records: records, isStored: isStored, hasBodies: bodies
                ).line())
        }
    }
}
