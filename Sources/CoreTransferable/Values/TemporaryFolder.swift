import Foundation

/// A folder of its own for one transfer, which nobody else can look into.
struct TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "transfer-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    func write(_ data: Data, named name: String) throws -> URL {
        let file = url.appendingPathComponent(name, isDirectory: false)
        try data.write(to: file, options: .withoutOverwriting)
        return file
    }

    func copy(_ original: URL, named name: String) throws -> URL {
        let copy = url.appendingPathComponent(name, isDirectory: original.hasDirectoryPath)
        try FileManager.default.copyItem(at: original, to: copy)
        return copy
    }

    /// A folder that cannot be removed is left to whatever cleans the temporary directory.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}

/// The bytes of a file; a folder has none.
func contents(of file: URL) throws -> Data {
    guard file.isFileURL else { throw TransferError.notAFile(file) }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), isFolder.boolValue {
        throw TransferError.folderAsData(file)
    }
    return try Data(contentsOf: file)
}
