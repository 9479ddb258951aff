import PortolanValues

@testable import PortolanFiles

extension Inbox {
    /// Begins to receive an item that nobody asked about, and that is not gone on with when its transfer breaks off.
    func newPartial(for restriction: Restriction = .everyone, reserve: UInt64 = 0) throws(FileError) -> PartialItem {
        try receive(
            nil, called: .sanitised(fromLocal: Array("item".utf8)), for: restriction, reserve: reserve, asking: false)
    }
}
