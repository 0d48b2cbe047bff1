import DivesApp
import MarqueeClient
import UIKit

// For an Xcode project's app target, which depends on the package beside this folder. In its Info.plist, the scene
// manifest names `SceneDelegate`.

@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// One client for the app's life. It closes its file and connection by itself while the app is in the background.
    let app = AppModel(client: MarqueeClient("dives.example", user: "mina"))
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene, let delegate = UIApplication.shared.delegate as? AppDelegate else {
            return
        }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UINavigationController(
            rootViewController: ScreenViewController(.home, of: delegate.app))
        window.makeKeyAndVisible()
        self.window = window
    }
}
