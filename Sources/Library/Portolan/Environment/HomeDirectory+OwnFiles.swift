import PortolanFiles

extension HomeDirectory {
    /// Files of the program in this home, without what persons have in it: the configuration, received items that wait,
    /// and content that the program keeps for a sending.
    package var ownFiles: OwnFiles {
        ownFiles(lending: [
            configuration, data + "/quarantine", state + "/agent/copies", cache + "/converted", cache + "/temporary",
        ])
    }

    /// The same files, for receiving: the quarantine alone is lent, for itself.
    package var ownFilesForReceiving: OwnFiles { ownFiles(lending: [data + "/quarantine"]) }

    private func ownFiles(lending lent: [String]) -> OwnFiles {
        let parts = [data + "/teams", state + "/agent", state + "/sync", state + "/transfers"]
        return OwnFiles([data, state, cache, configuration] + parts + [runtime].compactMap(\.self), lent: lent)
    }
}
