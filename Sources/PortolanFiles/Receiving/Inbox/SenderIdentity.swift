import CPortolanLinux
import PortolanValues

/// Identity of a sender as far as one audience is concerned: equal for all files and folders that the same device sends
/// to the same people.
///
/// 32 bytes, made by the layer above; see section 7 of the specification. Items of one sender may have the same files
/// under other names, because a person there has renamed them.
package struct SenderIdentity: Hashable, Sendable {
    /// In hexadecimal, as it is kept.
    let text: String

    /// - Returns: nil unless there are ``ItemIdentity/length`` bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == ItemIdentity.length else { return nil }
        text = Hexadecimal.text(Array(bytes))
    }

    fileprivate init(text: String) { self.text = text }

    /// The beginning of the identity, with which each file is marked: enough that nobody finds a key with that of
    /// another sender.
    var tag: UInt64? { Hexadecimal.number(text.prefix(16)) }
}

/// The attribute `user.portolan.sender` on a stored item: the identity of its sender, in hexadecimal.
enum SenderMark {
    static let attribute = "user.portolan.sender"

    /// Marks an item. One whose file system does not keep the mark is stored without it.
    static func set(_ sender: SenderIdentity, on root: Descriptor, by storage: any Storage) throws(SystemFailure) {
        try storage.setMark(attribute, sender.text, of: root)
    }

    /// Returns the sender of an item; nil where there is no mark.
    static func read(_ root: Descriptor) -> SenderIdentity? {
        // One byte more, so that a longer value does not pass for one of the right length.
        withUnsafeTemporaryAllocation(byteCount: 2 * ItemIdentity.length + 1, alignment: 1) { value in
            let count = portolan_get_attribute(root.number, attribute, value.baseAddress, UInt64(value.count))
            guard count == 2 * ItemIdentity.length else { return nil }
            return SenderIdentity(text: String(decoding: value[..<Int(count)], as: UTF8.self))
        }
    }
}
