import CPortolanLinux
import Glibc
import PortolanValues

/// Folders that a rule names below the one that is received into, some of them after a sender or an item.
///
/// Each is marked with its owner by the attribute `user.portolan.place`. A folder with another owner, or one that was
/// received as an item, is passed over for the next numbered name. So no peer can bring a folder that is taken for a
/// sender's, and names of two senders that the file system takes for one lead to two folders.
package enum ReceivingPlace {
    private static let attribute = "user.portolan.place"
    /// Owner of folders with a name from the rule alone.
    private static let rule = "rule"
    /// Owner of the top folder of an item.
    private static let item = "item"
    private static let longestOwner = 256
    private static let mostNumbers = 1000

    /// Returns the path at which a folder really is; makes and marks it if it is missing. Blocks.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - owners: owners of its last components; nil for a component that was named after nobody.
    ///   - own: files of the program, among which nothing is made.
    ///   - isQuarantine: true if the folders that those lend are allowed.
    /// - Throws: ``FileError``, also where a component has an owner and the file system keeps no attributes.
    package static func path(
        _ path: String, owners: [String?], besides own: OwnFiles, isQuarantine: Bool
    ) throws(FileError) -> String {
        if own.hold(path, lent: !isQuarantine) { throw .amongOwn(DisplayText(path)) }
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let fixed = max(parts.count - owners.count, 0)
        var place = parts[..<fixed].map { "/" + $0 }.joined()
        _ = try FolderPath.open(place.isEmpty ? "/" : place, making: true)
        for (name, owner) in zip(parts[fixed...], owners) { place = try find(name, owner, in: place) }
        return place
    }

    /// True if a folder has the mark of its owner, or needs none. Blocks.
    ///
    /// - Parameter owner: nil for a folder that was named after nobody.
    package static func isThere(_ path: String, for owner: String?) -> Bool {
        guard let folder = try? FolderPath.open(path, making: false).folder else { return false }
        let found = read(folder)
        return found == owner ?? rule || found == nil && owner == nil
    }

    private static func find(_ text: String, _ owner: String?, in above: String) throws(FileError) -> String {
        let name: FileName
        do throws(NameRefusal) { name = try FileName(text) } catch { throw FileError(error, name: Array(text.utf8)) }
        for number in 1...mostNumbers {
            let path = above + "/" + (number == 1 ? name : name.numbered(number, isFolder: true)).text
            do throws(FileError) {
                if try take(FolderPath.open(path, making: true), for: owner, path) { return path }
            } catch {
                // A file is in the way.
                guard error.kind == .notFolder else { throw error }
            }
        }
        throw FileError(.nameTaken, "“\(DisplayText(above))” has no free name like “\(name)”.")
    }

    /// Marks a folder without an owner.
    ///
    /// - Returns: false if the folder is another owner's, an item, or another user's.
    private static func take(_ opened: FolderPath, for owner: String?, _ path: String) throws(FileError) -> Bool {
        let folder = opened.folder
        let wanted = owner ?? rule
        if opened.loose != nil, (try? folder.status().owner) != geteuid() { return false }
        if let found = read(folder) { return found == wanted }
        if portolan_get_attribute(folder.number, SourceMark.attribute, nil, 0) >= 0 { return false }
        let text = Array(wanted.utf8)
        if portolan_add_attribute(folder.number, attribute, text, UInt64(text.count)) == 0 { return true }
        // Another session has marked it, maybe for another sender.
        if errno == EEXIST { return read(folder) == wanted }
        let failure = SystemFailure.last
        if failure.isTrouble { throw .storing(DisplayText(path), failure) }
        guard owner == nil else {
            throw FileError(
                .notPermitted,
                "The file system of “\(DisplayText(path))” keeps no extended attributes, by which folders of senders are told "
                    + "from items. Receive on another one, or without {sender} and {name} in “into”.")
        }
        return true
    }

    private static func read(_ folder: Descriptor) -> String? {
        withUnsafeTemporaryAllocation(byteCount: longestOwner, alignment: 1) { value in
            let count = portolan_get_attribute(folder.number, attribute, value.baseAddress, UInt64(value.count))
            if count < 0 { return errno == ERANGE ? "" : nil }
            return String(decoding: value[..<Int(count)], as: UTF8.self)
        }
    }

    /// Marks the top folder of an item that has no other mark, if the file system can keep it.
    static func markItem(_ root: Descriptor, by storage: any Storage) throws(SystemFailure) {
        try storage.setMark(attribute, item, of: root)
    }
}
