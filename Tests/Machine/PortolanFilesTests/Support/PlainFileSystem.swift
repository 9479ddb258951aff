import Glibc

@testable import FilesTestSupport

/// Runs `body` with a folder on a file system that has neither holes nor extended attributes, where one may be mounted.
func onPlainFileSystem(_ body: (TemporaryFolder) throws -> Void) rethrows {
    guard geteuid() == 0, SmallDisk.isPermitted else {
        print("skipped: needs root to mount a file system without holes and extended attributes")
        return
    }
    let folder = TemporaryFolder()
    guard mount("none", folder.path, "ramfs", 0, nil) == 0 else {
        print("skipped: this kernel has no ramfs")
        return
    }
    defer { umount2(folder.path, Int32(MNT_DETACH)) }
    try body(folder)
}
