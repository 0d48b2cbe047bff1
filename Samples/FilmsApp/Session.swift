/// The app's own sign-in: gives the token that it got from its servers, or gets a new one.
enum Session {
    struct NotSignedIn: Error {}

    /// Set by the sign-in.
    @MainActor static var current: String?

    static func token() async throws -> String {
        guard let token = await current else { throw NotSignedIn() }
        return token
    }
}
