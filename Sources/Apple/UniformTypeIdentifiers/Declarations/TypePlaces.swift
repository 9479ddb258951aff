/// Folders with the knowledge of this machine about types: the data folders of the XDG base directory specification,
/// and the folder of the running program.
package struct TypePlaces: Hashable, Sendable {
    /// Name of the folder of declarations in each data folder.
    static let folderName = "uniform-type-identifiers"

    /// The user's own folder, `$XDG_DATA_HOME`.
    package var dataHome: String?
    /// The machine's folders, `$XDG_DATA_DIRS`, the more important first.
    package var dataFolders: [String] = []
    /// The folder of the running program, which may have declarations beside it like an app in its bundle.
    package var executableFolder: String?
    /// A file that is skipped, because it is about to be replaced.
    var excludedFile: String?
}

extension TypePlaces {
    /// The places that an environment names. As the specification asks, paths that are not absolute are ignored.
    package init(environment: [String: String], homeFolder: @autoclosure () -> String?, executable: String?) {
        func folders(_ variable: String) -> [String] {
            (environment[variable] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? homeFolder()
        dataHome = folders("XDG_DATA_HOME").first ?? home.map { Self.path($0, ".local/share") }
        dataFolders = folders("XDG_DATA_DIRS")
        if dataFolders.isEmpty { dataFolders = ["/usr/local/share", "/usr/share"] }
        executableFolder = executable.flatMap(PathCut.folder)
    }

    /// The places of this process.
    package static var ofThisProcess: TypePlaces {
        TypePlaces(
            environment: ProcessInfo.processInfo.environment,
            homeFolder: FileManager.default.homeDirectoryForCurrentUser.path,
            executable: try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    }

    /// The data folders, the more important first.
    private var data: [String] { [dataHome].compactMap(\.self) + dataFolders }

    /// The folders that hold the files of shared-mime-info, the more important first.
    var mimeFolders: [String] { data.map { Self.path($0, "mime") } }

    /// Folder of the user's own declarations.
    package var userFolder: String? { dataHome.map { Self.path($0, Self.folderName) } }

    /// The folders of property lists with declarations, the more important first.
    package var declarationFolders: [String] {
        (data + [executableFolder].compactMap(\.self)).map { Self.path($0, Self.folderName) }
    }

    /// The property lists with declarations that exist, the more important first.
    package var declarationFiles: [String] {
        var files: [String] = []
        for folder in declarationFolders {
            if folder == executableFolder.map({ Self.path($0, Self.folderName) }), let executableFolder {
                let list = Self.path(executableFolder, "Info.plist")
                if FileManager.default.fileExists(atPath: list) { files.append(list) }
            }
            files += Self.propertyLists(in: folder)
        }
        // The environment may name a folder twice.
        var met: Set<String> = []
        return files.filter { $0 != excludedFile && met.insert($0).inserted }
    }

    static func propertyLists(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".plist") && !$0.hasPrefix(".") }.sorted().map { path(folder, $0) }
    }

    static func path(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}
