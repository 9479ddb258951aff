import Glibc
import PortolanValues
import Synchronization

/// Opens folders, and keeps a few of them open. Usable from any thread; no lock is held while a folder is opened.
final class OpenFolders: Sendable {
    /// Most open folders besides the starting ones.
    static let limit = 24

    /// Most recently used last.
    private let recent = Mutex<[HeldFolder]>([])
    private let features: KernelFeatures

    init(features: KernelFeatures) { self.features = features }

    /// Returns the folder, open.
    func descriptor(of folder: HeldFolder) throws(FileError) -> Descriptor {
        if let descriptor = folder.descriptor.withLock(\.self) {
            recent.withLock { recent in
                if recent.last !== folder, let place = recent.firstIndex(where: { $0 === folder }) {
                    recent.append(recent.remove(at: place))
                }
            }
            return descriptor
        }
        guard let parent = folder.parent else { preconditionFailure("the first folder stays open") }
        let above = try descriptor(of: parent)
        do throws(SystemFailure) {
            let descriptor = try Beneath.open(folder.name, in: above, O_RDONLY | O_DIRECTORY, features: features)
            guard try descriptor.status().identity == folder.identity else { throw SystemFailure(ELOOP) }
            remember(folder, descriptor)
            return descriptor
        } catch {
            if case .descriptors = error.reason { throw FileError.tooManyOpenFiles }
            throw FileError.tampered(DisplayText(folder.name))
        }
    }

    /// Opens the folder `name` in another one.
    ///
    /// - Parameter isOurs: true if it is part of the workspace, and not of a folder that people work with.
    func open(_ name: String, in parent: HeldFolder, isOurs: Bool = true) throws(FileError) -> HeldFolder {
        let above = try descriptor(of: parent)
        do throws(SystemFailure) {
            let descriptor =
                isOurs
                ? try Beneath.openOwned(name, in: above, features: features)
                : try Beneath.open(name, in: above, O_RDONLY | O_DIRECTORY, features: features)
            let folder = HeldFolder(descriptor, try descriptor.status().identity, name: name, in: parent)
            remember(folder, descriptor)
            return folder
        } catch {
            // The folder was moved away, which is reported like another entry in its place.
            throw .storing(DisplayText(name), error.number == ENOENT ? SystemFailure(ELOOP) : error)
        }
    }

    /// Opens the folder `name` in another one, if it exists and may be opened.
    func find(_ name: String, in parent: HeldFolder?, isOurs: Bool) throws(FileError) -> HeldFolder? {
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

    private func remember(_ folder: HeldFolder, _ descriptor: Descriptor) {
        // The removed descriptor is closed after the lock.
        _ = recent.withLock { recent -> Descriptor? in
            recent.removeAll { $0 === folder }
            folder.descriptor.withLock { $0 = descriptor }
            recent.append(folder)
            return recent.count > Self.limit ? recent.removeFirst().letGo() : nil
        }
    }
}

extension HeldFolder {
    fileprivate func letGo() -> Descriptor? {
        descriptor.withLock { $0.take() }
    }
}
