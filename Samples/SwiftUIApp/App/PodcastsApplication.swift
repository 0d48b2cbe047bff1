import MarqueeClient
import PodcastsApp
import SwiftUI

// For an Xcode project's app target, which depends on the package beside this folder.

@main struct PodcastsApplication: App {
    /// One client and its models for the app's life. The mirror is in Application Support, by host and user.
    private let model = AppModel(client: MarqueeClient("podcasts.example", user: "mina"))

    var body: some Scene {
        WindowGroup { PodcastsView(model) }
    }
}
