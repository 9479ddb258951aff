import CTestSupport

/// Default access control list of a folder, which new entries inherit (acl(5)).
public enum DefaultAccessList {
    /// Sets a list by which a user may read and write new entries of a folder.
    ///
    /// - Returns: true if its file system has such lists.
    public static func grantAll(to user: UInt32, in folder: String) -> Bool {
        // A version, then tag, permissions and number of the owner, the user, the group, the mask and the others.
        var list = bytes(UInt32(2))
        let nobody = UInt32.max
        let entries = [(1, 7, nobody), (2, 7, user), (4, 5, nobody), (16, 7, nobody), (32, 5, nobody)]
        for (tag, permissions, number) in entries {
            list += bytes(UInt16(tag)) + bytes(UInt16(permissions)) + bytes(number)
        }
        return portolan_give_attribute(folder, "system.posix_acl_default", list, list.count) == 0
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
