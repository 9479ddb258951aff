// The folders need not exist: Apple's systems create theirs; on Linux a program creates a folder when it needs it.
extension URL {
    /// The user's documents (`XDG_DOCUMENTS_DIR`).
    public static var documentsDirectory: URL { UserFolders.current.url(.documents) }

    /// The user's downloads (`XDG_DOWNLOAD_DIR`).
    public static var downloadsDirectory: URL { UserFolders.current.url(.downloads) }

    /// The user's desktop (`XDG_DESKTOP_DIR`).
    public static var desktopDirectory: URL { UserFolders.current.url(.desktop) }

    /// The user's films (`XDG_VIDEOS_DIR`).
    public static var moviesDirectory: URL { UserFolders.current.url(.movies) }

    /// The user's music (`XDG_MUSIC_DIR`).
    public static var musicDirectory: URL { UserFolders.current.url(.music) }

    /// The user's pictures (`XDG_PICTURES_DIR`).
    public static var picturesDirectory: URL { UserFolders.current.url(.pictures) }

    /// Files shared with other users (`XDG_PUBLICSHARE_DIR`).
    public static var sharedPublicDirectory: URL { UserFolders.current.url(.sharedPublic) }

    /// Files that programs can make again (`XDG_CACHE_HOME`). All programs share this folder: make a folder of your own
    /// in it.
    public static var cachesDirectory: URL { UserFolders.current.caches }

    /// Files that programs keep (`XDG_DATA_HOME`). All programs share this folder: make a folder of your own in it.
    public static var applicationSupportDirectory: URL { UserFolders.current.data }

    /// Same as ``applicationSupportDirectory``. On Apple's systems the library also contains caches and settings, for
    /// which Linux has folders of their own.
    public static var libraryDirectory: URL { UserFolders.current.data }

    /// The contents of the user's bin, by the FreeDesktop.org Trash specification. For listing; do not move files into
    /// it, because each file also needs a record of its origin.
    public static var trashDirectory: URL {
        UserFolders.current.data.appendingPathComponent("Trash/files", isDirectory: true)
    }

    /// The folder for a purpose, as the static properties of `URL` give it; `FileManager` gives the others.
    /// - Parameters:
    ///   - url: As in `FileManager.url(for:in:appropriateFor:create:)`.
    ///   - shouldCreate: True to make the folder if it does not exist.
    /// - Throws: `CocoaError` if there is no such folder, or it cannot be made.
    public init(
        for directory: FileManager.SearchPathDirectory, in domain: FileManager.SearchPathDomainMask,
        appropriateFor url: URL? = nil, create shouldCreate: Bool = false
    ) throws {
        guard domain == .userDomainMask, let known = URL.userDirectory(for: directory) else {
            self = try FileManager.default.url(
                for: directory, in: domain, appropriateFor: url, create: shouldCreate)
            return
        }
        if shouldCreate { try FileManager.default.createDirectory(at: known, withIntermediateDirectories: true) }
        self = known
    }

    private static func userDirectory(for directory: FileManager.SearchPathDirectory) -> URL? {
        switch directory {
        case .documentDirectory: documentsDirectory
        case .downloadsDirectory: downloadsDirectory
        case .desktopDirectory: desktopDirectory
        case .moviesDirectory: moviesDirectory
        case .musicDirectory: musicDirectory
        case .picturesDirectory: picturesDirectory
        case .sharedPublicDirectory: sharedPublicDirectory
        case .cachesDirectory: cachesDirectory
        case .applicationSupportDirectory: applicationSupportDirectory
        case .libraryDirectory: libraryDirectory
        case .trashDirectory: trashDirectory
        default: nil
        }
    }
}
