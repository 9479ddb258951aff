import PortolanValues

extension Fidelity {
    /// Property that an omission loses, and that a sender may require.
    package init(lostBy reason: Loss.Reason) {
        self = reason.lacksContent ? .content : []
        switch reason {
        case .mode: insert(.mode)
        case .modificationTime: insert(.modified)
        case .linkLeavesItem, .linksUnsupported: insert(.symbolicLinks)
        case .attributes: insert(.attributes)
        case .sparse: insert(.sparse)
        case .hardLink: insert(.hardLinks)
        default: break
        }
    }
}
