import MarqueeSwiftUI
import SwiftUI

@main struct FilmsApp: App {
    let marquee = MarqueeClient("films.example", user: "mina") {
        try await Session.token()
    }
    var body: some Scene {
        WindowGroup { HomeView().marquee(marquee) }
    }
}
struct HomeView: View {
    @LiveScreen(.home) var home
    var body: some View {
        ScreenList(home) { CardRow($0) }
    }
}
