import Foundation
import Glibc

extension FileWrapper {
    /// Writes this to a place, in the stead of what is there.
    ///
    /// Everything is written beside the place first and then exchanged with what is there, in one step where the file
    /// system can do that. If something fails, what was there is still there.
    /// - Parameter originalContentsURL: Where an earlier version is, on Apple's systems to save work with. It is not
    ///   needed here.
    /// - Throws: `CocoaError`: a name of a child that is no file name, a file that was changed since it was listed, and
    ///   whatever keeps the disk from taking it.
    public func write(to url: URL, options: WritingOptions = [], originalContentsURL: URL?) throws {
        guard url.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme, userInfo: [NSURLErrorKey: url]) }
        let staging = url.deletingLastPathComponent().appendingPathComponent(
            ".\(UUID().uuidString).partial", isDirectory: false)
        // After the exchange this is what was there before; after a failure, what was written so far.
        defer { try? FileManager.default.removeItem(at: staging) }
        try create(at: staging)
        try Self.exchange(staging, with: url)
        settle(at: url, updatingNames: options.contains(.withNameUpdating))
    }

    private func create(at url: URL) throws {
        switch content {
        case .directory(let children):
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            for (name, child) in children {
                guard Self.isFileName(name) else {
                    throw CocoaError(
                        .fileWriteInvalidFileName,
                        userInfo: [NSLocalizedDescriptionKey: "\(name.debugDescription) is no name for a file."])
                }
                try child.create(at: url.appendingPathComponent(name, isDirectory: false))
            }
        case .regularFile(.bytes(let data)):
            try data.write(to: url, options: .withoutOverwriting)
        case .regularFile(.unread(let source, let stamp)):
            guard try FileStamp(of: source) == stamp else { throw Self.changed(source) }
            try FileManager.default.copyItem(at: source, to: url)
            guard try FileStamp(of: source) == stamp else { throw Self.changed(source) }
        case .symbolicLink(let destination):
            try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: destination.relativePath)
            return
        }
        // Of a folder after everything in it, which would change its date.
        try applyAttributes(to: url)
    }

    private func applyAttributes(to url: URL) throws {
        var attributes: [FileAttributeKey: Any] = [:]
        if let permissions = fileAttributes[FileAttributeKey.posixPermissions.rawValue] as? NSNumber {
            // Those of user, group and others; not to run as somebody else.
            attributes[.posixPermissions] = NSNumber(value: permissions.intValue & 0o777)
        }
        attributes[.modificationDate] = fileAttributes[FileAttributeKey.modificationDate.rawValue] as? Date
        if !attributes.isEmpty { try FileManager.default.setAttributes(attributes, ofItemAtPath: url.path) }
    }

    /// Puts what is at `staging` to `url`; what was there, if anything, is at `staging` afterwards.
    private static func exchange(_ staging: URL, with url: URL) throws {
        if renameExchanging(staging, url) { return }
        // Nothing is there, or the file system cannot exchange: a file still takes the place of a file in one step.
        if rename(staging.path, url.path) == 0 { return }
        let aside = staging.appendingPathExtension("old")
        try FileManager.default.moveItem(at: url, to: aside)
        do {
            try FileManager.default.moveItem(at: staging, to: url)
        } catch {
            try? FileManager.default.moveItem(at: aside, to: url)
            throw error
        }
        try FileManager.default.moveItem(at: aside, to: staging)
    }

    /// renameat2(2), which the C library's module does not show to Swift.
    private static func renameExchanging(_ one: URL, _ other: URL) -> Bool {
        typealias Function =
            @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
        guard let symbol = dlsym(nil, "renameat2") else { return false }
        let exchange: CUnsignedInt = 2
        // The function of that name has this signature wherever there is one (renameat2(2)).
        return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, one.path, AT_FDCWD, other.path, exchange) == 0
    }

    /// What was not read yet is where it was written to: its former place may be the one that was just replaced.
    private func settle(at url: URL, updatingNames: Bool) {
        if updatingNames { filename = url.lastPathComponent }
        switch content {
        case .directory(let children):
            for (name, child) in children {
                child.settle(at: url.appendingPathComponent(name), updatingNames: updatingNames)
            }
        case .regularFile(.unread):
            guard let stamp = try? FileStamp(of: url) else { return }
            content = .regularFile(.unread(url, stamp))
        case .regularFile(.bytes), .symbolicLink:
            break
        }
    }
}
