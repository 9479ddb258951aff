import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSyncPeers
import PortolanSyncPlan

/// `portolan sync list`.
struct SyncListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "list", "Show the folders, their devices, waiting changes with the reasons, and offers of others.",
        examples: """
            portolan sync list
            portolan sync list --watch
            """,
        manual: """
            It shows the last report of 'portolan sync run' or the agent about each folder, and the folders that \
            others shared with this device when they were met last: coming and waiting changes with the reasons, large \
            deletions that wait for you, conflicts, entries that are not kept alike, such as pipes, unreadable files \
            and names that no item may have, changes that other devices hold back or do not take, and files of a \
            removed member that came before this device heard of the removal. Of each it shows a few, and all of them \
            (up to 1,000) with --json. With --watch it shows that again whenever it changes, until stopped.
            """)

    @Flag(help: "Show it again whenever it changes, until stopped.")
    var watch = false

    @OptionGroup var shared: SharedOptions

    private struct OfferLine: Encodable, Equatable {
        var offered: String
        var peer: String
        var with: [String]
        /// Fingerprint.
        var maker: String?
        var join: String
        /// True if another folder that is offered has the name.
        var isNamesake: Bool

        private enum CodingKeys: CodingKey { case offered, peer, with, maker, join }

        /// Arguments of 'sync join', without the path.
        var arguments: String {
            let maker = isNamesake ? maker.map { " --maker \($0.prefix(SyncListCommand.mostOfMaker))" } : nil
            return DisplayText.shellWord(join) + (maker ?? "")
        }
    }

    /// Characters of a maker's fingerprint that are shown to choose by.
    private static let mostOfMaker = 9

    /// Data of the list to show.
    private struct View: Equatable {
        struct Folder: Equatable {
            var entry: SyncFolderEntry
            var status: SyncFolderList.Status
        }

        var folders: [Folder]
        var offers: [OfferLine]
        /// Names of the makers of others' folders, by their keys.
        var makers: [PinnedKey: String]
        /// Folders that are not for this device, by their names in file names.
        var foreign: Set<String>
    }

    func perform(_ console: Console) async throws {
        let home = try shared.homeDirectory()
        let list = SyncFolderList(home: home)
        guard watch else { return try show(try await look(list, home), console, redraws: false) }
        var before: View?
        do {
            while console.hasReader {
                let view = try await look(list, home)
                if view != before {
                    try show(view, console, redraws: !shared.json && Terminal.output.canRedraw)
                }
                before = view
                try await Task.sleep(for: .seconds(1))
            }
        } catch is CancellationError {
            // Stopping is how it ends.
        }
    }

    private func look(_ list: SyncFolderList, _ home: HomeDirectory) async throws -> View {
        try await withLookupThread {
            let folders = try list.all().map { View.Folder(entry: $0, status: try list.status(of: $0) ?? .init()) }
            let all = try list.offers()
            let ids = Dictionary(grouping: all.flatMap(\.folders), by: \.name).mapValues { Set($0.map(\.id)) }
            let offers = all.flatMap { offers in
                offers.folders.map { folder in
                    OfferLine(
                        offered: folder.name, peer: offers.peer, with: folder.audience?.words ?? [],
                        maker: folder.audience.map { "\($0.maker.fingerprint)" },
                        join: "\(offers.source):\(folder.name)", isNamesake: ids[folder.name, default: []].count > 1)
                }
            }
            let keys = Set(folders.map(\.entry).filter { $0.wanted != nil }.compactMap { $0.audience?.maker })
            return View(
                folders: folders, offers: offers, makers: try Self.names(of: keys, home),
                foreign: try Self.foreign(folders.map(\.entry), home))
        }
    }

    private static func foreign(_ entries: [SyncFolderEntry], _ home: HomeDirectory) throws -> Set<String> {
        guard let own = try DeviceIdentity.storedKey(in: home) else { return [] }
        let standing = try PeerStore(home: home, own: own).standing(of: own, now: Date())
        return Set(
            entries.compactMap { entry in
                entry.audience?.includes(own: PinnedKey(own), standing) == false ? entry.local : nil
            })
    }

    /// Returns names of the makers of folders, in quotation marks if they are known.
    static func names(of keys: Set<PinnedKey>, _ home: HomeDirectory) throws -> [PinnedKey: String] {
        guard !keys.isEmpty else { return [:] }
        let contacts = try KnownPeers(home: home).contacts()
        let teams = try TeamStore(home: home).all()
        return Dictionary(
            uniqueKeysWithValues: keys.map { key in
                let member = teams.lazy.compactMap { $0.team.member(key) }.first
                let name = contacts.first { $0.key == key }?.name ?? member?.name
                return (key, name.map { "“\($0)”" } ?? "\(key.fingerprint)")
            })
    }

    private func show(_ view: View, _ console: Console, redraws: Bool) throws {
        // To the first column of the first line, and all below is wiped.
        if redraws { console.say("\u{1B}[H\u{1B}[2J") }
        for folder in view.folders {
            let (entry, status) = (folder.entry, folder.status)
            for line in Self.lines(entry, status, view) { console.say(line) }
            try console.emit(
                .folder,
                [
                    "name": entry.name, "path": entry.path, "with": entry.words,
                    "maker": entry.audience.map { "\($0.maker.fingerprint)" },
                    "keepers": (entry.audience?.keepers ?? []).map { "\($0.fingerprint)" },
                    "limitedTo": entry.limitTexts,
                    "mode": entry.ways.mode.rawValue, "keepsDeleted": entry.ways.keepsDeleted,
                    "isJoined": entry.id != nil,
                    "isPaused": entry.isPaused,
                    "peers": entry.isPaused ? [] : status.peers, "waits": status.waits, "lacks": status.lacks ?? [],
                    "skipped": status.skipped ?? [], "deletions": status.deletions ?? [],
                    "conflicts": status.conflicts ?? [], "sinceRemoval": status.sinceRemoval ?? [],
                    "coming": status.coming,
                    "going": status.going ?? [],
                    "others": status.others ?? [], "hasMet": status.hasMet ?? false, "notes": status.notes ?? [],
                    "untold": status.untold ?? [], "held": status.deletions?.first?.mark,
                    "problem": status.problem,
                ])
        }
        for offer in view.offers {
            console.say(
                """
                “\(DisplayText(offer.offered, limit: 100))” is offered by “\(DisplayText(offer.peer, limit: 100))”, with \
                \(DisplayText(offer.with.joined(separator: ", "), limit: 500)): \
                portolan sync join \(offer.arguments) FOLDER
                """)
            try console.emit(.folderOffer, offer)
        }
        if view.folders.isEmpty, view.offers.isEmpty {
            console.remark("No folder is kept alike. Begin with 'portolan sync add FOLDER --with PEER'.")
        }
    }

    private static func lines(
        _ entry: SyncFolderEntry, _ status: SyncFolderList.Status, _ view: View
    ) -> [String] {
        let limits = entry.limitTexts
        let with =
            entry.words.joined(separator: ", ")
            + (entry.audience.flatMap { view.makers[$0.maker] }.map { "  of \($0)" } ?? "")
            + (limits.isEmpty ? "" : ", here only \(limits.joined(separator: ", "))")
        let ways = [
            entry.ways.mode == .twoWay ? nil : entry.ways.mode.rawValue,
            entry.ways.keepsDeleted ? "keeps files that others delete" : nil,
        ].compactMap { $0 }.map { "  \($0)" }.joined()
        let head =
            "\(DisplayText(entry.name, limit: 100))  \(DisplayText(entry.path, limit: 4096))  with \(with)\(ways)"
        if entry.isPaused { return ["\(head)  is paused"] }
        var lines = ["\(head)  \(state(entry, status, isForeign: view.foreign.contains(entry.local)))"]
        if let problem = status.problem { lines.append("  \(problem)") }
        if !status.peers.isEmpty { lines.append("  Last with: \(status.peers.joined(separator: ", "))") }
        if let coming = status.coming {
            let from = coming.from.isEmpty ? "" : " from \(coming.from.joined(separator: ", "))"
            lines.append(
                progress("Coming\(from)", coming.doneFiles, coming.files, coming.doneBytes, coming.bytes))
        }
        for one in status.going ?? [] {
            lines.append(progress("Going to \(one.to)", one.doneFiles, one.files, one.doneBytes, one.bytes))
        }
        for one in status.deletions ?? [] {
            lines += part(one.sentence, one.paths.map(shown), of: one.count)
            lines.append("    \(one.decisions(on: entry))")
        }
        for one in status.others ?? [] {
            lines += part(one.sentence, one.paths.map(shown), of: one.paths.isEmpty ? 0 : nil)
        }
        let (lacks, skipped) = (status.lacks ?? [], status.skipped ?? [])
        lines += part("\(Human.count(lacks.count, "change waits", "changes wait")):", lacks.map(\.sentence))
        lines += part(
            "\(skipped.count == 1 ? "1 file or folder is" : "\(skipped.count) files and folders are") not kept alike:",
            skipped.map(\.sentence))
        let late = status.sinceRemoval ?? []
        lines += part("From removed members, after their removal:", late.map(\.sentence))
        let conflicts = status.conflicts ?? []
        lines += part(
            "\(Human.count(conflicts.count, "conflict")); see 'portolan sync conflicts':", conflicts.map(shown))
        lines += ((status.notes ?? []) + [status.unwatched].compactMap { $0 }).map { "  \($0)" }
        lines += (status.untold ?? []).map { "    \(shown($0))" }
        return lines
    }

    private static func progress(
        _ what: String, _ doneFiles: Int, _ files: Int, _ doneBytes: UInt64, _ bytes: UInt64
    ) -> String {
        "  \(what): \(Human.number(doneFiles)) of \(Human.count(files, "file")), "
            + "\(Human.size(doneBytes)) of \(Human.size(bytes))"
    }

    private static func state(
        _ entry: SyncFolderEntry, _ status: SyncFolderList.Status, isForeign: Bool
    ) -> String {
        if entry.id == nil { return "is to be joined" }
        if entry.audience == nil { return "waits for the device that added it, which says for whom it is" }
        if status.problem != nil { return "stands still" }
        if isForeign { return "is not for this device; its maker gives it to more devices by 'portolan sync sign'" }
        guard status.hasMet ?? false else { return "has not met another device yet" }
        return status.isAlike ? "is kept alike" : "is kept alike, with these exceptions"
    }

    /// Lines about several files: none without a file, and not more than a few.
    ///
    /// - Parameter count: number of all files; nil for those that are listed.
    private static func part(_ heading: String, _ files: [String], of count: Int? = nil) -> [String] {
        guard !files.isEmpty || count != nil else { return [] }
        let rest = (count ?? files.count) - min(files.count, mostFiles)
        return ["  \(heading)"] + files.prefix(mostFiles).map { "    \($0)" }
            + (rest > 0 ? ["    \(Human.number(rest)) more; see 'portolan sync --json'."] : [])
    }

    private static let mostFiles = 5

    private static func shown(_ path: String) -> String { DisplayText(path, limit: 4096).text }
}

extension SyncFolderEntry {
    /// For whom it is, by the word of its maker: the same on all devices. Of a folder to be joined, whose it is.
    fileprivate var words: [String] { audience?.words ?? audiences.map(\.text.text) }

    /// The members of the audience who may have it from this device, if not all may.
    fileprivate var limitTexts: [String] { audience == nil ? [] : audiences.map(\.text.text) }
}
