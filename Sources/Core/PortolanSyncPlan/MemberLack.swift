/// A file or deletion that a member knows of and does not have alike, as it tells the others: without names.
package struct MemberLack: Hashable, Sendable {
    package enum Reason: UInt8, CaseIterable, Sendable {
        /// The member made a deletion, and holds it back.
        case ownDeletion = 1
        /// The member holds back a deletion by others.
        case deletion
        /// A link leads out of the folder.
        case link
        /// The disk cannot hold the name.
        case name
        /// A file that is not kept alike has the name, or is in the deleted folder.
        case inTheWay
        case diskFull
        case other
    }

    package let reason: Reason
    /// Nodes that are meant, or the first ones; none if no single file is meant. At most ``mostNodes``.
    package let nodes: [NodeID]
    /// Number of files and folders that are meant. At most ``mostCount``.
    package let count: Int
    /// Name of a deletion for the persons on the member: four bytes, or none.
    package var mark: [UInt8]

    package static let mostNodes = 8
    package static let mostCount = Int(Int32.max)
    package static let markBytes = 4

    package init(_ reason: Reason, _ nodes: [NodeID], count: Int, mark: [UInt8] = []) {
        precondition(nodes.count <= Self.mostNodes && 0...Self.mostCount ~= count, "A lack is a small one")
        precondition(mark.isEmpty || mark.count == Self.markBytes, "A mark has four bytes")
        self.reason = reason
        self.nodes = nodes
        self.count = count
        self.mark = mark
    }
}
