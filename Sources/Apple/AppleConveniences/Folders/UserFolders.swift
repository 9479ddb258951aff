/// Folders of a user: the XDG Base Directory Specification for files of programs, `user-dirs.dirs` of xdg-user-dirs for
/// files of people.
///
/// `FileManager` reads that file too, but takes the quotation marks and `$HOME` in it for part of the name.
struct UserFolders {
    enum Folder: String, CaseIterable {
        case desktop = "DESKTOP"
        case documents = "DOCUMENTS"
        case downloads = "DOWNLOAD"
        case movies = "VIDEOS"
        case music = "MUSIC"
        case pictures = "PICTURES"
        case sharedPublic = "PUBLICSHARE"

        /// Default name below the home folder.
        var defaultName: String {
            switch self {
            case .desktop: "Desktop"
            case .documents: "Documents"
            case .downloads: "Downloads"
            case .movies: "Videos"
            case .music: "Music"
            case .pictures: "Pictures"
            case .sharedPublic: "Public"
            }
        }
    }

    let environment: [String: String]
    let home: String

    static var current: UserFolders {
        UserFolders(
            environment: ProcessInfo.processInfo.environment,
            home: FileManager.default.homeDirectoryForCurrentUser.path)
    }

    /// Folder of a purpose: from the environment (`XDG_DOCUMENTS_DIR`), else from `user-dirs.dirs`, else an English
    /// name below the home folder. The folder may not exist.
    func url(_ folder: Folder) -> URL {
        let name = "XDG_\(folder.rawValue)_DIR"
        let path = absolutePath(name) ?? configured()[name] ?? "\(home)/\(folder.defaultName)"
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    var caches: URL { base("XDG_CACHE_HOME", ".cache") }
    var data: URL { base("XDG_DATA_HOME", ".local/share") }

    /// The specification demands that relative paths are ignored.
    private func absolutePath(_ variable: String) -> String? {
        environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    private func base(_ variable: String, _ defaultPath: String) -> URL {
        URL(fileURLWithPath: absolutePath(variable) ?? "\(home)/\(defaultPath)", isDirectory: true)
    }

    private func configured() -> [String: String] {
        let file = base("XDG_CONFIG_HOME", ".config").appendingPathComponent("user-dirs.dirs", isDirectory: false)
        guard let handle = try? FileHandle(forReadingFrom: file) else { return [:] }
        defer { try? handle.close() }
        // The file has seven short lines and a comment; a larger file is another one.
        let text = (try? handle.read(upToCount: 1 << 16)).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
        return Self.assignments(in: text ?? "", home: home)
    }

    /// The lines `NAME="$HOME/…"` and `NAME="/…"`, in which a backslash takes the next character as it is. The last
    /// line for a name counts, as in a shell; other lines are ignored.
    static func assignments(in text: String, home: String) -> [String: String] {
        var assignments: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let value = unquoted(parts[1].trimmingCharacters(in: .whitespaces)) else {
                continue
            }
            let name = parts[0].trimmingCharacters(in: .whitespaces)
            if value == "$HOME" || value.hasPrefix("$HOME/") {
                assignments[name] = home + value.dropFirst("$HOME".count)
            } else if value.hasPrefix("/") {
                assignments[name] = value
            }
        }
        return assignments
    }

    private static func unquoted(_ text: String) -> String? {
        guard text.first == "\"" else { return nil }
        var value = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(character)
            }
        }
        return nil
    }
}
