import PortolanClient

extension AgentAPI.NewParcel {
    /// Checks that a parcel has a target and content of one kind, and that its paths are absolute.
    func check() throws {
        guard !target.isEmpty else { throw AgentAPI.Problem.malformed("“target” is empty.") }
        guard [paths != nil, text != nil, document != nil].count(where: { $0 }) == 1 else {
            throw AgentAPI.Problem.malformed("A parcel has either “paths” or “text” or “document”.")
        }
        if paths?.isEmpty == true { throw AgentAPI.Problem.malformed("“paths” is empty.") }
        try paths?.forEach { try checkPath($0, "paths") }
        if options?.limitRate == 0 { throw AgentAPI.Problem.malformed("“options.limitRate” is at least 1.") }
    }
}

extension AgentAPI.NewSharedItem {
    func check() throws {
        guard [path != nil, text != nil, document != nil].count(where: { $0 }) == 1 else {
            throw AgentAPI.Problem.malformed("A shared item has either “path” or “text” or “document”.")
        }
        if let path { try checkPath(path, "path") }
    }
}

extension AgentAPI.Acceptance {
    func check() throws {
        if let into { try checkPath(into, "into") }
    }
}

/// Checks that a path is absolute, so that it does not depend on the agent's working folder.
private func checkPath(_ path: String, _ name: String) throws {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
        throw AgentAPI.Problem.malformed("“\(name)” must be absolute.")
    }
}
