extension ClientError.Code {
    /// A sentence for the person, and what they can do.
    var words: (description: String, suggestion: String?) {
        switch value {
        case .unavailable:
            ("The server can't be reached.", "Saved content stays usable. The app keeps trying to connect.")
        case .timeout:
            ("The server hasn't answered yet.", "Changes are stored and will be sent. Try anything else again.")
        case .busy: ("The server is busy.", "Try again later.")
        case .insecure: ("The connection isn't secure.", "Try another network. Nothing was sent.")
        case .updateNeeded: ("The server speaks another version of the protocol.", "Update the app.")
        case .notSignedIn: ("You aren't signed in.", "Sign in and try again.")
        case .tokenUnavailable:
            ("Your sign-in couldn't be confirmed.", "Saved content stays usable. The app keeps trying.")
        case .tokenRefused: ("Your sign-in is no longer accepted.", "Sign in again.")
        case .notAllowed: ("You may not do this.", nil)
        case .notFound: ("This isn't there.", nil)
        case .unknownOptions: ("This can't be shown that way.", nil)
        case .notShown: ("The screen isn't open.", nil)
        case .notStored: ("This isn't stored on the device.", "Connect to a network and try again.")
        case .changeRefused: ("The change was refused.", nil)
        case .refused: ("The server refused this.", nil)
        case .mirrorInUse: ("Another process is using the stored data.", "Close it and try again.")
        case .mirrorOfAnotherUser: ("The stored data is another user's.", "Sign in as that user, or delete the data.")
        case .mirrorOfAnotherServer: ("The stored data is another server's.", "Delete the stored data.")
        case .mirrorDamaged: ("The stored data is damaged.", "Delete the stored data.")
        case .notAMirror: ("The stored data belongs to another app or a newer version.", "Update the app.")
        case .mirrorUnusable: ("The stored data can't be read or written.", nil)
        case .noMirror: ("Nothing is stored on the device yet.", "Open the app while there is a connection.")
        case .diskFull: ("The device has no room left.", "Free some space.")
        case .closed: ("The client was closed.", nil)
        case .suspended: ("The app is in the background.", nil)
        case .limit: ("Something is too long, or there is too much of it.", nil)
        case .cancelled: ("It was cancelled.", nil)
        }
    }
}
