import CPortolanLinux
import PortolanValues

/// Identity of a sender for one audience: equal for all files and folders that the same device sends to the same
/// audience.
///
/// 32 bytes, made by the layer above; see section 7 of the specification. Items of one sender may contain the same
/// files under other names, because the sender's user renamed them.
package struct SenderIdentity: Hashable, Sendable {
    /// Stored form, in hexadecimal.
    let text: String

    /// - Returns: nil unless there are ``ItemIdentity/length`` bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == ItemIdentity.length else { return nil }
        text = Hexadecimal.text(Array(bytes))
    }

    fileprivate init(text: String) { self.text = text }

    /// Beginning of the identity, with which each file is marked: long enough that nobody can make a key with another
    /// sender's tag.
    var tag: UInt64? { Hexadecimal.number(text.prefix(16)) }
}

/// The attribute `user.portolan.sender` on a stored item: the identity of its sender, in hexadecimal.
enum SenderMark {
    static let attribute = "user.portolan.sender"

    /// Marks an item with its sender; does nothing if the file system does not support that.
    static func set(_ sender: SenderIdentity, on root: Descriptor, by storage: any Storage) throws(SystemFailure) {
        try storage.setMark(attribute, sender.text, of: root)
    }

    /// Returns the sender of an item; nil without a mark.
    static func read(_ root: Descriptor) -> SenderIdentity? {
        // A byte more, so that a longer value does not pass for one of the right length.
        withUnsafeTemporaryAllocation(byteCount: 2 * ItemIdentity.length + 1, alignment: 1) { value in
            let count = portolan_get_attribute(root.number, attribute, value.baseAddress, UInt64(value.count))
            guard count == 2 * ItemIdentity.length else { return nil }
            return SenderIdentity(text: String(decoding: value[..<Int(count)], as: UTF8.self))
        }
    }
}
