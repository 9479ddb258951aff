import CPortolanLinux

/// Default access control list of a folder, which new entries in it inherit (acl(5)).
enum AccessList {
    private static let attribute = "system.posix_acl_default"
    private static let maximumEntries = 256

    private enum Tag { static let user: UInt16 = 2, group: UInt16 = 8, ownGroup: UInt16 = 4, mask: UInt16 = 16 }

    /// Returns the permissions that the list grants to some user or group besides the owner: the bits 4, 2 and 1 of a
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
