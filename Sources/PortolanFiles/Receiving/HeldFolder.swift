import Glibc
import PortolanTrust
import Synchronization

/// A folder of this machine, held by what it is and not by where it lies.
///
/// One that is no longer open is opened again from the folder above it, name by name, without following links, and must be
/// the very folder that it was: a local rival who put a link or another folder there is noticed.
final class HeldFolder: Sendable {
    /// nil for the one that everything starts from, which stays open.
    let parent: HeldFolder?
    let name: String
    let identity: FileIdentity
    fileprivate let descriptor: Mutex<Descriptor?>

    init(_ descriptor: Descriptor) throws(SystemFailure) {
        parent = nil
        name = ""
        identity = try descriptor.status().identity
        self.descriptor = Mutex(descriptor)
    }

    fileprivate init(_ descriptor: Descriptor, _ identity: FileIdentity, name: String, in parent: HeldFolder) {
        self.parent = parent
        self.name = name
        self.identity = identity
        self.descriptor = Mutex(descriptor)
    }
}

/// Opens folders, and keeps few of them open at a time.
struct OpenFolders: Sendable {
    /// How many are kept open besides those that everything starts from.
    static let limit = 24

    /// The one used last stands last.
    private var recent: [HeldFolder] = []
    private let features: KernelFeatures

    init(features: KernelFeatures) { self.features = features }

    /// The folder, open.
    mutating func descriptor(of folder: HeldFolder) throws(FileError) -> Descriptor {
        if let descriptor = folder.descriptor.withLock(\.self) {
            if recent.last !== folder, let place = recent.firstIndex(where: { $0 === folder }) {
                recent.append(recent.remove(at: place))
            }
            return descriptor
        }
        guard let parent = folder.parent else { preconditionFailure("the first folder stays open") }
        let above = try descriptor(of: parent)
        do throws(SystemFailure) {
            let descriptor = try Beneath.open(folder.name, in: above, O_RDONLY | O_DIRECTORY, features: features)
            guard try descriptor.status().identity == folder.identity else { throw SystemFailure(ELOOP) }
            folder.descriptor.withLock { $0 = descriptor }
            remember(folder)
            return descriptor
        } catch {
            if case .descriptors = error.reason { throw FileError.tooManyOpenFiles }
            throw FileError.tampered(DisplayText(folder.name))
        }
    }

    /// Opens the folder `name` in another one.
    ///
    /// - Parameter isOurs: whether it is part of what is being put together, and not of what people work with.
    mutating func open(_ name: String, in parent: HeldFolder, isOurs: Bool = true) throws(FileError) -> HeldFolder {
        let above = try descriptor(of: parent)
        do throws(SystemFailure) {
            let descriptor =
                isOurs
                ? try Beneath.openOwned(name, in: above, features: features)
                : try Beneath.open(name, in: above, O_RDONLY | O_DIRECTORY, features: features)
            let folder = HeldFolder(descriptor, try descriptor.status().identity, name: name, in: parent)
            remember(folder)
            return folder
        } catch {
            // Gone already: somebody moved it away, which is the same trouble as something else in its place.
            throw .storing(DisplayText(name), error.number == ENOENT ? SystemFailure(ELOOP) : error)
        }
    }

    /// The folder `name` in another one, where there is one that may be opened.
    mutating func find(_ name: String, in parent: HeldFolder?, isOurs: Bool) throws(FileError) -> HeldFolder? {
        guard let parent else { return nil }
        let above = try descriptor(of: parent)
        guard let status = try? above.status(of: name), status.kind == .folder else { return nil }
        do throws(FileError) {
            return try open(name, in: parent, isOurs: isOurs)
        } catch {
            if error.kind == .tooManyOpenFiles { throw error }
            return nil
        }
    }

    private mutating func remember(_ folder: HeldFolder) {
        if recent.count == Self.limit { recent.removeFirst().descriptor.withLock { $0 = nil } }
        recent.append(folder)
    }
}

extension Beneath {
    /// Opens a folder of ours to list and change it, which its permissions may forbid: its owner can take them back.
    static func openOwned(
        _ name: UnsafePointer<CChar>, in folder: Descriptor, features: KernelFeatures
    ) throws(SystemFailure) -> Descriptor {
        let opened = try openOwned(name, in: folder, O_RDONLY | O_DIRECTORY, features: features)
        let mode = try opened.status().mode
        if mode & 0o700 != 0o700, fchmod(opened.number, mode_t(mode | 0o700)) != 0 { throw .last }
        return opened
    }

    /// Opens a file or folder of ours that may be closed to us by its permissions, which its owner can take back.
    static func openOwned(
        _ name: UnsafePointer<CChar>, in folder: Descriptor, _ flags: Int32, features: KernelFeatures
    ) throws(SystemFailure) -> Descriptor {
        do throws(SystemFailure) {
            return try open(name, in: folder, flags, features: features)
        } catch {
            guard error.number == EACCES else { throw error }
            let closed = openat(folder.number, name, __O_PATH | O_NOFOLLOW | O_CLOEXEC)
            guard closed >= 0 else { throw .last }
            defer { close(closed) }
            // By its descriptor, so that no link put in its place is followed.
            guard chmod("/proc/self/fd/\(closed)", 0o700) == 0 else { throw .last }
            return try open(name, in: folder, flags, features: features)
        }
    }
}
