import PortolanValues

@testable import PortolanFiles

extension Inbox {
    /// Begins to receive an unrequested item that is not resumable.
    func newPartial(for restriction: Restriction = .everyone, reserve: UInt64 = 0) throws(FileError) -> PartialItem {
        try receive(
            nil, called: .sanitised(fromLocal: Array("item".utf8)), for: restriction, reserve: reserve, asking: false)
    }
}
