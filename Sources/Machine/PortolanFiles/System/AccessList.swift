import CPortolanLinux

/// Access control lists of a folder: its own, and the default one, which new entries in it inherit (acl(5)).
enum AccessList {
    private static let attribute = "system.posix_acl_default"
    private static let ownAttribute = "system.posix_acl_access"
    /// A list without entries, which takes the present one away: its version, little-endian.
    private static let none: [UInt8] = [2, 0, 0, 0]
    private static let maximumEntries = 256

    private enum Tag { static let user: UInt16 = 2, group: UInt16 = 8, ownGroup: UInt16 = 4, mask: UInt16 = 16 }

    /// Removes the lists that a folder of mode 0700 has inherited from the folder around it. Its mode stays. A file
    /// system that refuses has no lists, or leaves them without effect as long as the mode is 0700.
    static func removeInherited(from folder: Descriptor) {
        for list in [attribute, ownAttribute] {
            portolan_set_attribute(folder.number, list, none, UInt64(none.count))
        }
    }

    /// Returns the permissions that the default list grants to somebody besides the owner: the bits 4, 2 and 1 of a
    /// class of a mode; 0 without a list.
    static func granted(in folder: Descriptor) -> UInt16 {
        // A version of 4 bytes, then entries of a tag (2), permissions (2) and a number (4), all little-endian.
        let capacity = 4 + maximumEntries * 8
        return withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) { list in
            let count = portolan_get_attribute(folder.number, attribute, list.baseAddress, UInt64(capacity))
            guard count > 4 else { return 0 }
            func number(_ place: Int) -> UInt16 { UInt16(list[place]) | UInt16(list[place + 1]) << 8 }
            var (granted, mask): (UInt16, UInt16) = (0, 7)
            for place in stride(from: 4, through: Int(count) - 8, by: 8) {
                switch number(place) {
                case Tag.user, Tag.group, Tag.ownGroup: granted |= number(place + 2)
                case Tag.mask: mask = number(place + 2)
                default: break
                }
            }
            return granted & mask & 7
        }
    }
}
