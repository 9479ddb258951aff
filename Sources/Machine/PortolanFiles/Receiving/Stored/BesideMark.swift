import CPortolanLinux
import Glibc
import PortolanValues

/// Attribute `user.portolan.beside` on a received file or folder whose name was taken: the value is that name, and its
/// own name is a numbered variant. The next transfer finds the entry by it, and updates it there.
enum BesideMark {
    static let attribute = "user.portolan.beside"

    /// Marks an entry that is stored beside another one of its name. If the mark cannot be set, the entry is stored
    /// without it, and not recognised later.
    static func set(_ name: FileName, on file: Descriptor, by storage: any Storage) throws(SystemFailure) {
        try storage.setMark(attribute, name.text, of: file)
    }

    /// Returns true if the file has this mark, for any name.
    static func isThere(on file: Descriptor) -> Bool { portolan_get_attribute(file.number, attribute, nil, 0) >= 0 }

    /// Returns true if the file was received under this name.
    static func isSet(_ name: FileName, on file: Descriptor) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: FileName.maximumBytes + 1, alignment: 1) { value in
            let count = portolan_get_attribute(file.number, attribute, value.baseAddress, UInt64(value.count))
            return count >= 0 && value[..<Int(count)].elementsEqual(name.text.utf8)
        }
    }

    /// Finds the file or folder that was received as `name` and is stored beside the entry of that name; nil if there
    /// is none.
    static func find(
        _ name: FileName, _ kind: FileStatus.Kind, in folder: Descriptor, features: KernelFeatures
    ) -> FileName? {
        for number in 2... {
            let candidate = name.numbered(number, isFolder: kind == .folder)
            guard let status = try? folder.status(of: candidate.text) else { return nil }
            if status.kind == kind, names(name, candidate, in: folder, features: features) { return candidate }
        }
        return nil
    }

    /// Returns true if the file at `candidate` was received as `name`.
    static func names(
        _ name: FileName, _ candidate: FileName, in folder: Descriptor, features: KernelFeatures
    ) -> Bool {
        guard let file = try? Beneath.openToRead(candidate.text, in: folder, features: features) else { return false }
        return isSet(name, on: file)
    }
}
