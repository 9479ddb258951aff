import ArgumentParser
import Portolan
import PortolanOutbox
import PortolanSettings
import PortolanSyncPeers

/// Words for completing names in a command line: from the files of this device, and from its agent. The network is not
/// used, and any error leads to no completion.
enum Completions {
    /// Most words of one kind; more would be of no help.
    private static let most = 500

    /// Peers and teams that can be sent to.
    static var targets: CompletionKind { of { try peers(of: $0) + teams(of: $0, withSign: true) } }

    /// Values of `portolan receive --from`: peers, teams, and all contacts.
    static var sources: CompletionKind {
        of { try [CompletedWord("@contacts")].compactMap(\.self) + peers(of: $0) + teams(of: $0, withSign: true) }
    }

    /// Contacts, other peers that have exchanged items with this device, and members of teams.
    static var peers: CompletionKind { of { try peers(of: $0) } }

    /// Peers with a stored key.
    static var knownPeers: CompletionKind { ofPeers { try knownPeers(of: $0) } }

    static var contacts: CompletionKind { ofPeers { try knownPeers(of: $0).filter(\.isContact) } }

    /// Peers followed by the colon that separates them from the name of an item.
    static var peersOfItems: CompletionKind {
        of { home in try peers(of: home).compactMap { CompletedWord($0.text + ":") } }
    }

    static var teams: CompletionKind { of { try teams(of: $0, withSign: false) } }

    /// Teams and their groups, as `@team` and `@team/group`.
    static var audiences: CompletionKind { of { try teams(of: $0, withSign: true) } }

    static var groups: CompletionKind {
        of { home in try TeamStore(home: home).all().flatMap(\.team.groups).compactMap { CompletedWord($0.text) } }
    }

    static var members: CompletionKind { of { try members(of: $0) } }

    /// Synchronized folders.
    static var folders: CompletionKind {
        of { home in try SyncFolderList(home: home).all().compactMap { CompletedWord($0.name) } }
    }

    /// Folders that others share with this device, as arguments of `portolan sync join`.
    static var offeredFolders: CompletionKind {
        of { home in
            try SyncFolderList(home: home).offers().flatMap { offer in
                offer.folders.compactMap { CompletedWord(offer.source + ":" + $0.name) }
            }
        }
    }

    /// Sendings that run or can be resumed.
    static var transfers: CompletionKind {
        of { home in
            let lifetime = try Settings(home: home).receiveOptions().partialLifetime
            return try TransferRegister(home).contents(lifetime: lifetime).transfers.compactMap {
                CompletedWord($0.id.text)
            }
        }
    }

    // MARK: -

    private static func knownPeers(of home: HomeDirectory) throws -> [KnownPeer] {
        try KnownPeers(home: home).all()
            .sorted { ($0.isContact ? 0 : 1, $1.lastSeen) < ($1.isContact ? 0 : 1, $0.lastSeen) }
    }

    private static func peers(of home: HomeDirectory) throws -> [CompletedWord] {
        let known = try? knownPeers(of: home).map { CompletedWord($0.name, $0.fingerprint) }
        return try (known ?? []) + members(of: home)
    }

    private static func members(of home: HomeDirectory) throws -> [CompletedWord] {
        try TeamStore(home: home).all().filter { !$0.isRemoved }.flatMap(\.team.members)
            .map { CompletedWord($0.name, $0.key.fingerprint) }
    }

    private static func teams(of home: HomeDirectory, withSign: Bool) throws -> [CompletedWord] {
        try TeamStore(home: home).all().filter { withSign ? !$0.isRemoved : true }.flatMap { stored in
            let team = stored.team
            let groups = withSign ? team.groups.map { "@\(team.name.text)/\($0.text)" } : []
            return ([(withSign ? "@" : "") + team.name.text] + groups).compactMap(CompletedWord.init)
        }
    }

    private static func ofPeers(
        _ peers: @escaping @Sendable (HomeDirectory) throws -> [KnownPeer]
    ) -> CompletionKind {
        of { home in try peers(home).map { CompletedWord($0.name, $0.fingerprint) } }
    }

    /// - Parameter words: returns the known words of a home, the most likely first.
    static func of(_ words: @escaping @Sendable (HomeDirectory) throws -> [CompletedWord]) -> CompletionKind {
        .custom { line, _, _ in
            guard
                let home = try? HomeDirectory(
                    override: self.home(in: line), environment: HomeDirectory.environmentOfThisProcess)
            else { return [] }
            var seen: Set<String> = []
            let found = ((try? words(home)) ?? []).filter { seen.insert($0.text).inserted }.prefix(most)
            return found.map { $0.form(for: CompletionShell.requesting) }
        }
    }

    /// Home that a command line names; nil for the default.
    ///
    /// - Parameter line: words as typed. A path that contains a variable or a command is not supported.
    static func home(in line: [String]) -> String? {
        let values = zip(line, line.dropFirst()).compactMap { $0 == "--home" ? $1 : nil }
        let joined = line.compactMap { $0.hasPrefix("--home=") ? String($0.dropFirst(7)) : nil }
        guard let typed = (values + joined).last, !typed.contains(where: { "$`".contains($0) }) else { return nil }
        let text = typed.filter { !"'\"\\".contains($0) }
        guard text.hasPrefix("~/"), let user = HomeDirectory.environmentOfThisProcess["HOME"] else { return text }
        return user + text.dropFirst()
    }
}
