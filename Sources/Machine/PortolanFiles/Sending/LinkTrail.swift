import Glibc
import PortolanValues

/// Trail from a symbolic link of an item to its target inside the item.
///
/// A link's target is text that names other entries. A link reveals a hidden entry if it leads to or through it, also
/// by other links, and even if the final target does not exist. The trail ends when it leaves the item.
struct LinkTrail {
    /// Largest number of followed links, the same as the system's.
    private static let maximumLinks = 40
    /// Components of all targets together.
    private static let maximumSteps = 4096

    private let storage: any ReadableStorage
    /// Folders from the item down to the current position.
    private var folders: [Descriptor]
    /// Remaining components, the next one last.
    private var rest: [ArraySlice<UInt8>] = []
    /// Followed links, with the number of remaining components at that time: with the same number again, the links are
    /// circular.
    private var followed: [FileIdentity: Int] = [:]
    private var restriction: Restriction

    /// - Parameters:
    ///   - folders: folders from the item down to the link's folder.
    ///   - restriction: restriction of the link's folder.
    init(from folders: [Descriptor], for restriction: Restriction, by storage: any ReadableStorage) {
        self.folders = folders
        self.restriction = restriction
        self.storage = storage
    }

    /// Follows a target to its end.
    ///
    /// - Returns: the combined restriction of all entries on the way, including the link's folder;
    ///   ``Restriction/nobody`` if one is unknown.
    consuming func follow(_ target: LinkTarget) -> Restriction {
        push(Array(target.text.utf8))
        var steps = 0
        while let component = rest.popLast() {
            steps += 1
            guard steps <= Self.maximumSteps else { return .nobody }
            do throws(SystemFailure) {
                guard try step(component) else { break }
            } catch {
                // No file exists at the path, or none that could have a restriction.
                if [ENOENT, ENOTDIR, ENAMETOOLONG, EILSEQ, EINVAL].contains(error.number) { break }
                return .nobody
            }
            if restriction == .nobody { break }
        }
        return restriction
    }

    private mutating func push(_ target: [UInt8]) {
        rest.append(contentsOf: target.split(separator: UInt8(ascii: "/")).reversed())
    }

    /// - Returns: true if the trail continues.
    private mutating func step(_ component: ArraySlice<UInt8>) throws(SystemFailure) -> Bool {
        if component.elementsEqual(".".utf8) { return true }
        if component.elementsEqual("..".utf8) {
            folders.removeLast()
            return !folders.isEmpty
        }
        guard let folder = folders.last else { return false }
        let name = component.map { CChar(bitPattern: $0) } + [0]
        let status = try storage.status(of: name, in: folder)
        switch status.kind {
        case .symbolicLink: return try follow(name, status, in: folder)
        case .folder:
            let next = try storage.openFolder(name, in: folder)
            restriction = restriction.and(try StoredVisibility.read(next, by: storage))
            folders.append(next)
            return true
        case .file:
            restriction = restriction.and(try restriction(ofFile: name, in: folder))
            return false
        case .pipe, .socket, .device: return false
        }
    }

    private mutating func follow(
        _ name: [CChar], _ status: FileStatus, in folder: Descriptor
    ) throws(SystemFailure) -> Bool {
        if followed.updateValue(rest.count, forKey: status.identity) == rest.count { return false }
        guard followed.count <= Self.maximumLinks else { throw SystemFailure(ELOOP) }
        let target = try storage.linkTarget(of: name, in: folder)
        guard target.first != UInt8(ascii: "/") else { return false }
        push(target)
        return true
    }

    private func restriction(ofFile name: [CChar], in folder: Descriptor) throws(SystemFailure) -> Restriction {
        if storage.readsAttributesByName { return try StoredVisibility.read(name, in: folder, by: storage) }
        return try StoredVisibility.read(storage.openFile(name, in: folder), by: storage)
    }
}
