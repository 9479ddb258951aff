import Foundation
import Testing

@testable import AppleConveniences

@Suite("The user's folders")
struct UserFoldersTests {
    @Test("Without any settings they have English names below the home folder")
    func defaults() {
        let folders = UserFolders(environment: [:], home: "/home/ada")
        let paths = UserFolders.Folder.allCases.map { folders.url($0).path }
        #expect(
            paths
                == ["Desktop", "Documents", "Downloads", "Videos", "Music", "Pictures", "Public"].map {
                    "/home/ada/\($0)"
                })
        #expect(folders.caches.path == "/home/ada/.cache" && folders.data.path == "/home/ada/.local/share")
        #expect(folders.url(.documents).hasDirectoryPath && folders.caches.hasDirectoryPath)
    }

    @Test("user-dirs.dirs is obeyed, the environment before it")
    func settings() throws {
        let scratch = try ScratchFolder()
        _ = try scratch.file(
            "user-dirs.dirs",
            """
            # This file is written by xdg-user-dirs-update
            XDG_DOCUMENTS_DIR="$HOME/Dokumente"
            XDG_DOWNLOAD_DIR="/data/Down\\"loads\\\\ \\$HOME"
             XDG_MUSIC_DIR = "$HOME"
            XDG_PICTURES_DIR="$HOME/First"
            XDG_PICTURES_DIR="$HOME/Bilder"
            XDG_VIDEOS_DIR="relative"
            XDG_DESKTOP_DIR="$HOMEWARD/Desktop"
            XDG_PUBLICSHARE_DIR="$HOME/unclosed
            """)
        let environment = ["XDG_CONFIG_HOME": scratch.url.path]
        let folders = UserFolders(environment: environment, home: "/home/ada")
        #expect(folders.url(.documents).path == "/home/ada/Dokumente")
        #expect(folders.url(.downloads).path == #"/data/Down"loads\ $HOME"#)
        #expect(folders.url(.music).path == "/home/ada")
        #expect(folders.url(.pictures).path == "/home/ada/Bilder")
        #expect(folders.url(.movies).path == "/home/ada/Videos")
        #expect(folders.url(.desktop).path == "/home/ada/Desktop")
        #expect(folders.url(.sharedPublic).path == "/home/ada/Public")

        let overridden = UserFolders(
            environment: environment.merging(["XDG_DOCUMENTS_DIR": "/srv/papers"]) { $1 }, home: "/home/ada")
        #expect(overridden.url(.documents).path == "/srv/papers")
        #expect(overridden.url(.music).path == "/home/ada")
    }

    @Test("Base directories are taken from the environment if they are absolute")
    func baseDirectories() {
        let folders = UserFolders(
            environment: ["XDG_CACHE_HOME": "/var/tmp/cache", "XDG_DATA_HOME": "data"], home: "/home/ada")
        #expect(folders.caches.path == "/var/tmp/cache" && folders.data.path == "/home/ada/.local/share")
        #expect(
            UserFolders(environment: ["XDG_DOCUMENTS_DIR": "papers"], home: "/h").url(.documents).path == "/h/Documents"
        )
    }

    @Test("Any text is a list of settings or says nothing")
    func fuzz() {
        var state: UInt64 = 0xD1_25
        func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let pieces = ["XDG_A_DIR", "=", "=\"", "\"", "\\", "$HOME", "/", "\n", "#", " ", "é", "\0", "x"]
        var found = 0
        for round in 0..<5000 {
            let text = (0..<next(below: 20)).map { _ in pieces[next(below: pieces.count)] }.joined()
            for path in UserFolders.assignments(in: text, home: "/h").values {
                found += 1
                #expect(path.hasPrefix("/"), "seed 0xD125, round \(round)")
            }
        }
        #expect(found > 0)
    }

    @Test("The static properties and the initialiser say the same")
    func urls() throws {
        let pairs: [(FileManager.SearchPathDirectory, URL)] = [
            (.documentDirectory, .documentsDirectory), (.downloadsDirectory, .downloadsDirectory),
            (.desktopDirectory, .desktopDirectory), (.moviesDirectory, .moviesDirectory),
            (.musicDirectory, .musicDirectory), (.picturesDirectory, .picturesDirectory),
            (.sharedPublicDirectory, .sharedPublicDirectory), (.cachesDirectory, .cachesDirectory),
            (.applicationSupportDirectory, .applicationSupportDirectory), (.trashDirectory, .trashDirectory),
        ]
        for (directory, url) in pairs {
            #expect(try URL(for: directory, in: .userDomainMask) == url)
            #expect(url.isFileURL && url.hasDirectoryPath && url.path.hasPrefix("/"))
        }
        #expect(Set(pairs.map(\.1)).count == pairs.count)
        #expect(URL.libraryDirectory == .applicationSupportDirectory)
        #expect(try URL(for: .libraryDirectory, in: .userDomainMask) == .libraryDirectory)
        #expect(throws: (any Error).self) { try URL(for: .applicationDirectory, in: .userDomainMask) }
    }
}
