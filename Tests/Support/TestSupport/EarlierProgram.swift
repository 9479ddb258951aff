import CTestSupport
import Foundation
import Glibc

/// Homes and folders of two devices as an earlier program left them (Tests/Fixtures/README.md).
public enum EarlierProgram {
    /// Latest change that each device knows of itself, by its home.
    public static let sequences: [String: UInt64] = ["ada": 28, "ben": 28]

    /// Unpacks them into a folder: the homes `ada` and `ben`, and their copies `notes` and `copy`.
    ///
    /// - Returns: false if the file system keeps no extended attributes, with a printed note.
    public static func unpack(into folder: String) throws -> Bool {
        let archive = URL(filePath: #filePath).appending(path: "../../../Fixtures/b8066c96.tar.gz").standardizedFileURL
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        tar.arguments = [
            "tar", "-xpzf", archive.path, "--xattrs", "--xattrs-include=user.*", "--no-same-owner", "-C", folder,
        ]
        try tar.run()
        tar.waitUntilExit()
        guard tar.terminationStatus == 0 else { throw HostsError("tar cannot unpack \(archive.path)") }
        for home in ["ada", "ben"] {
            let list = "\(folder)/\(home)/state/sync/folders"
            let text = try String(contentsOfFile: list, encoding: .utf8)
            try Data(text.replacing("/earlier/", with: "\(folder)/").utf8).write(to: URL(fileURLWithPath: list))
        }
        guard portolan_give_attribute("\(folder)/notes/tagged", "user.tag", "red", 3) == 0 else {
            print("skipped: the file system of \(folder) keeps no extended attributes")
            return false
        }
        return true
    }

    /// Kind, permissions, time and content of everything in a folder except its control folder, by path.
    ///
    /// - Parameter shared: true for the parts that the earlier program keeps alike: no times, and only the kind of a
    ///   folder.
    public static func listing(of folder: String, shared: Bool = false) throws -> [String: String] {
        var listing: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            guard path != ".portolan-sync", !path.hasPrefix(".portolan-sync/") else { continue }
            let whole = "\(folder)/\(path)"
            var status = stat()
            guard lstat(whole, &status) == 0 else { throw HostsError("cannot look at \(whole)", status: -errno) }
            var line: String
            switch status.st_mode & S_IFMT {
            case S_IFLNK: line = try "-> " + FileManager.default.destinationOfSymbolicLink(atPath: whole)
            case S_IFDIR: line = shared ? "folder" : "folder \(status.st_mode & 0o777)"
            default:
                line = "\(status.st_mode & 0o777) \(try Files.read(whole).hashValue)"
            }
            if !shared, status.st_mode & S_IFMT == S_IFREG {
                line += " \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            }
            listing[path] = line
        }
        return listing
    }
}
