import Testing

@testable import MarqueeConformance

@Suite struct CommandTemplateTests {
    private let launch = ClientLaunch(
        host: "127.0.0.1", port: 7, screen: "detail/{port}", mirror: "/tmp/m", folder: "/tmp")

    @Test func `Placeholders are replaced within words, values are not looked into`() {
        let template = CommandTemplate(["client", "--server", "{host}:{port}", "--mirror={mirror}", "{screen}"])
        #expect(
            template.filled(with: launch) == [
                "client", "--server", "127.0.0.1:7", "--mirror=/tmp/m", "detail/{port}",
            ])
    }

    @Test func `Other braces stay as they are`() {
        #expect(
            CommandTemplate(["awk", "{print $1}", "{", "{{port}}"]).filled(with: launch) == [
                "awk", "{print $1}", "{", "{7}",
            ])
    }

    @Test func `It knows whether the client is told where to connect and where to keep its mirror`() {
        #expect(CommandTemplate(["{host}:{port}"]).namesPort)
        #expect(!CommandTemplate(["client"]).namesPort)
        #expect(CommandTemplate(["--mirror={mirror}"]).namesMirror)
        #expect(!CommandTemplate(["{port}"]).namesMirror)
    }
}
