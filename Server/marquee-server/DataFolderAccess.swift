import Foundation

/// Distinguishes a missing permission from other problems with a data folder.
enum DataFolderAccess {
    /// Whether this user may not use the folder, or may not create it.
    static func isForbidden(_ folder: String) -> Bool {
        var url = URL(fileURLWithPath: folder).standardizedFileURL
        while access(url.path, F_OK) != 0, errno == ENOENT, url.path != "/" {
            url.deleteLastPathComponent()
        }
        let names = ["", "/catalogue.sqlite", "/users.sqlite", "/owner.lock"]
        return names.contains { access(url.path + $0, R_OK | W_OK) != 0 && errno == EACCES }
    }
}
