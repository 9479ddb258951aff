import Foundation
import Glibc
import NodeTestSupport
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization
import TestSupport
import Testing

@testable import Portolan

/// Items as data: encoded, decoded, and sent by the process that decoded them.
@Suite(.serialized) struct ParcelTests {
    private func withNode(_ body: (Node, URL) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-parcel-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try await body(try Node(blocking: .onLoopback("ada", home: root.appending(path: "home"))), root)
    }

    private func write(_ text: String, to file: URL) throws -> String {
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// A parcel with something of everything.
    private func makeParcel(_ node: Node, _ root: URL) async throws -> Parcel {
        var note = Item(
            title: "Note",
            representations: [
                try await .file(
                    at: try write("<p>hello</p>", to: root.appending(path: "n.html")), visibility: .ownProcess),
                try await .file(at: try write("hello", to: root.appending(path: "n.txt"))),
            ])
        note.preview = try CandidatePreview(
            message: "Look", icon: CandidatePreview.Picture(ItemPreview.Picture(type: "public.png", data: Data([1]))))
        var text = Item.text("see you at 5")
        text.preview = note.preview
        var options = ParcelOptions()
        options.compression = .never
        options.rateLimit = 1 << 20
        options.requirements = [.permissions, .content]
        options.retrySeconds = 90
        options.stallSeconds = 45
        options.interfaces = ["lo"]
        options.discovery = .off
        return try await node.parcel([note, text, .file(at: root.path)], to: "workstation", options: options)
    }

    @Test func parcelRoundTrips() async throws {
        try await withNode { node, root in
            var parcel = try await makeParcel(node, root)
            let fingerprint = node.identity.fingerprint
            parcel.meet(fingerprint)
            parcel.settle(
                Delivery(
                    transfer: TransferID(item: 1), title: "",
                    outcome: .stored(try StoredItem(bytes: 1), representation: 0)))
            let read = try Parcel(document: parcel.document())
            #expect(read == parcel)
            #expect(read.titles == ["Note", "see you at 5", root.lastPathComponent])
            #expect(read.target.text == "workstation" && read.target.fingerprint == fingerprint)
            #expect(read.settled == [1: .stored])
            #expect(read.previews.count == 1, "a preview of several items is kept once")
            #expect(read.items.map(\.preview) == [0, 0, nil])
            #expect(read.items[0].forms.map(\.type) == [.html, .plainText])
            #expect(read.items[0].forms[0].restriction == .nobody)
            #expect(read.items[2].forms[0].isFolder)
            #expect(RandomID(parcel.id.description) == parcel.id)

            let options = read.options.sendOptions()
            #expect(options.rateLimit == 1 << 20 && options.retry == .seconds(90) && options.compression == .never)
            var configured = Node.SendOptions()
            configured.rateLimit = 5
            configured.retry = .zero
            #expect(ParcelOptions().sendOptions(over: configured) == configured)
        }
    }

    @Test func pathsAreAbsoluteAndLeadThroughNoLink() async throws {
        try await withNode { node, root in
            let file = try write("x", to: root.appending(path: "v1.txt"))
            let link = root.appending(path: "current.txt").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "v1.txt")
            let form = try await node.parcel([.file(at: link)], to: "b").items[0].forms[0]
            let resolved = try #require(realpath(file, nil).map { String(cString: $0) })
            #expect(form.content == .path(resolved))
            #expect(form.name == "current.txt")
        }
    }

    @Test("a queued file that was saved anew is sent, and another one in its place is not")
    func filesAreHeld() async throws {
        try await withNode { node, root in
            let folder = root.appending(path: "open")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            let path = try write("note", to: folder.appending(path: "note.txt"))
            #expect(chmod(path, 0o644) == 0)
            let parcel = try await node.parcel([.file(at: path)], to: "b")
            let read = try Parcel(document: parcel.document())
            #expect(read == parcel && read.items[0].forms[0].held != nil)
            let saved = try write("longer", to: folder.appending(path: "saved"))
            #expect(chmod(saved, 0o644) == 0 && rename(saved, path) == 0)
            #expect(try await node.open(read).items[0].representations[0].size == 6)
            #expect(try await node.parcel([.file(at: path)], to: "b").asksForTheSame(as: parcel))
            let key = try write("secret", to: root.appending(path: "key"))
            #expect(chmod(key, 0o600) == 0 && rename(key, path) == 0)
            let error = try await #require(throws: NodeError.self) { _ = try await node.open(read) }
            #expect(error.kind == .noInput && error.description.contains("is not what it was"))
            #expect(unlink(path) == 0 && symlink("../home/data/device.key", path) == 0)
            await #expect(throws: NodeError.self) { _ = try await node.open(read) }
        }
    }

    @Test func contentOfThisProcessOnlyIsRefused() async throws {
        try await withNode { node, _ in
            let once = try await Item.stream(0, contentType: .data, suggestedName: "input")
            let made = Item(title: "made", representations: [.produced(.data) { Data() }])
            for item in [once, made] {
                let error = try await #require(throws: NodeError.self) {
                    _ = try await node.parcel([.text("x"), item], to: "b")
                }
                #expect(error.kind == .badInput && error.description.contains("kept to be sent later"))
            }
            let large = Item(
                title: "large", representations: [.data(Data(count: Parcel.sizeLimit), contentType: .data)])
            let error = try await #require(throws: NodeError.self) { _ = try await node.parcel([large], to: "b") }
            #expect(error.description.contains("at most"))
        }
    }

    @Test func audienceIsIndependentOfALaterDefaultTeam() async throws {
        try await withNode { node, root in
            let acme = try await node.createTeam(TeamName("acme"))
            let file = try write("x", to: root.appending(path: "n.txt"))
            let item = Item(title: nil, representations: [try await .file(at: file, visibility: .team)])
            let parcel = try await node.parcel([item], to: "b")
            _ = try await node.createTeam(TeamName("other"))
            try await node.useTeam("other")
            let opened = try await node.open(Parcel(document: parcel.document()))
            let audience = try Audience(team: acme.team.id)
            #expect(opened.items[0].representations[0].requested == .exactly(Restriction(.team, for: audience)))
        }
    }

    @Test func missingOrReplacedFileIsReportedUnlessSettled() async throws {
        try await withNode { node, root in
            let gone = root.appending(path: "gone.txt")
            let changed = root.appending(path: "changed.txt")
            let paths = try [gone, changed].map { try write("x", to: $0) }
            var parcel = try await node.parcel([.file(at: paths[0]), .file(at: paths[1])], to: "b")
            try FileManager.default.removeItem(at: gone)
            var error = try await #require(throws: NodeError.self) { _ = try await node.open(parcel) }
            #expect(error.kind == .noInput && error.description.contains("gone.txt"))
            let stored = Delivery.Outcome.stored(try StoredItem(bytes: 1), representation: 0)
            parcel.settle(Delivery(transfer: TransferID(item: 0), title: "", outcome: stored))
            #expect(try await node.open(parcel).numbers == [1])
            try FileManager.default.removeItem(at: changed)
            try FileManager.default.createDirectory(at: changed, withIntermediateDirectories: true)
            error = try await #require(throws: NodeError.self) { _ = try await node.open(parcel) }
            #expect(error.kind == .noInput && error.description.contains("is a folder now"))
            parcel.settle(Delivery(transfer: TransferID(item: 1), title: "", outcome: .hidden))
            #expect(parcel.settled == [0: .stored], "what may be stored another time stays open")
            parcel.settle(
                Delivery(
                    transfer: TransferID(item: 1), title: "", outcome: .declined(Decline(.notWanted), trouble: nil)))
            #expect(try await node.open(parcel).items.isEmpty)
        }
    }

    @Test("the rest of a team's parcel goes to those members that have not got it")
    func restForTeam() async throws {
        try await withNode { node, root in
            let team = try await node.createTeam(TeamName("acme")).team.id
            let keys = (0..<2).map { _ in DeviceKey.generate().publicKey }
            for (key, name) in zip(keys, ["ben", "cleo"]) {
                let change = RosterChange.add(PinnedKey(key), name: try DeviceName(name), groups: [])
                _ = try node.store.teams.change(team, change, by: node.identity, now: .now)
            }
            let (ben, cleo) = (Fingerprint(of: keys[0]), Fingerprint(of: keys[1]))
            let stored = Delivery.Outcome.stored(try StoredItem(bytes: 1), representation: 0)
            func delivery(_ item: Int) -> Delivery {
                Delivery(transfer: TransferID(item: item), title: "", outcome: stored)
            }

            var parcel = try await node.parcel([.text("one"), .text("two")], to: "@acme")
            #expect(try await node.open(parcel).numbers == [0, 1])
            let acme = Restriction(.team, for: try Audience(team: team))
            #expect(parcel.items.allSatisfy { $0.forms.allSatisfy { $0.restriction == acme } })
            parcel.settle(delivery(0), of: ben)
            parcel.settle(delivery(1), of: ben)
            parcel.settle(Delivery(transfer: TransferID(item: 1), title: "", outcome: .hidden), of: cleo)
            #expect(try await node.open(parcel).numbers == [0, 1], "another member has neither")
            parcel.settle(delivery(0), of: cleo)
            parcel = try Parcel(document: parcel.document())
            #expect(parcel.settledByMember == [ben: [0: .stored, 1: .stored], cleo: [0: .stored]])
            #expect(parcel.settled.isEmpty)

            let rest = try await node.open(parcel)
            #expect(rest.numbers == [1])
            // No member is present: the node searches for the one member that is left.
            let deliveries = try await node.sendToTeam(rest)
            #expect(deliveries.map(\.member.name.text) == ["cleo"])
            #expect(deliveries.allSatisfy { !$0.isReached })

            parcel.settle(delivery(1), of: cleo)
            #expect(try await node.open(parcel).items.isEmpty)
            #expect(try await node.sendToTeam(node.open(parcel)).isEmpty)
        }
    }

    @Test("an item sent to a team or group is for it, unless it was restricted otherwise")
    func markOfTeam() async throws {
        try await withNode { node, root in
            let team = try await node.createTeam(TeamName("acme")).team.id
            let design = try GroupName("design")
            let change = RosterChange.addToGroup(PinnedKey(node.identity.publicKey), design)
            _ = try node.store.teams.change(team, change, by: node.identity, now: .now)
            let file = try write("a.txt", to: root.appending(path: "a.txt"))
            func restrictions(_ items: [Item], to target: String) async throws -> Set<Restriction> {
                let parcel = try await Parcel(document: node.parcel(items, to: target).document())
                return Set(
                    try await node.open(parcel).items.flatMap(\.representations).map {
                        $0.requested.completed(with: nil)
                    })
            }
            let items: [Item] = [try await .file(at: file), .text("three")]
            let group = Restriction(.group, for: try Audience(team: team, groups: [design]))
            #expect(try await restrictions(items, to: "@acme") == [Restriction(.team, for: try Audience(team: team))])
            #expect(try await restrictions(items, to: "@acme/design") == [group])
            #expect(try await restrictions(items, to: "ben") == [.everyone])
            #expect(try await restrictions(items.requesting(.exactly(.everyone)), to: "@acme/design") == [.everyone])
            let error = try await #require(throws: NodeError.self) { _ = try await node.parcel(items, to: "@nobody") }
            #expect(error.kind == .unreachable)
        }
    }

    @Test func unsettledItemsKeepTheirNumbersAndGoToTheSameKey() async throws {
        try await Pair.with { pair in
            let inbox = pair.root.appending(path: "inbox")
            try FileManager.default.createDirectory(at: pair.root, withIntermediateDirectories: true)
            let files = try ["a.txt", "b.txt"].map { try write($0, to: pair.root.appending(path: $0)) }
            try await pair.whileReceiving { node, events in
                try await node.receive(into: inbox.path, decide: { _ in .accept }, events: events)
            } _: { node, peer in
                var parcel = try await node.parcel(
                    [.file(at: files[0]), .file(at: files[1]), .text("three")], to: peer.name)
                var stranger = parcel
                stranger.meet(Fingerprint(of: DeviceKey.generate().publicKey))
                let contents = try await node.open(stranger)
                let error = try await #require(throws: NodeError.self) {
                    _ = try await node.send(contents, to: node.find(stranger.target))
                }
                #expect(error.kind == .notTrusted)

                let stored = Delivery.Outcome.stored(try StoredItem(bytes: 1), representation: 0)
                parcel.settle(Delivery(transfer: TransferID(item: 0), title: "", outcome: stored))
                let events = Events()
                let deliveries = try await node.send(
                    node.open(parcel), to: node.find(parcel.target), events: events.append)
                #expect(deliveries.map(\.item) == [1, 2] && deliveries.allSatisfy(\.isStored))
                for case .connected(let met) in events.all { parcel.meet(met.fingerprint) }
                for delivery in deliveries { parcel.settle(delivery) }
                #expect(parcel.settled == [0: .stored, 1: .stored, 2: .stored])
                let again = try await node.send(node.open(parcel), to: node.find(parcel.target))
                #expect(again.isEmpty)
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: inbox.path).sorted() == ["b.txt", "three.txt"])
            }
        }
    }

    @Test func restrictionsOfAParcelAreHonoured() async throws {
        try await Pair.with { pair in
            let inbox = pair.root.appending(path: "inbox").path
            try FileManager.default.createDirectory(at: pair.root, withIntermediateDirectories: true)
            let hidden = try write("hidden", to: pair.root.appending(path: "n.png"))
            let shown = try write("shown", to: pair.root.appending(path: "n.txt"))
            let forms = Mutex<[[String]]>([])
            try await pair.whileReceiving { node, events in
                try await node.receive(into: inbox) { offer in
                    forms.withLock { $0 += offer.items.map { $0.forms.map(\.contentType) } }
                    return .accept
                } events: { event in
                    events(event)
                }
            } _: { node, peer in
                let both = Item(
                    title: "both",
                    representations: [
                        try await .file(at: hidden, visibility: .ownProcess), try await .file(at: shown),
                    ])
                let none = Item(title: "none", representations: [try await .file(at: hidden, visibility: .ownProcess)])
                let document = try await node.parcel([both, none], to: peer.name).document()

                let other = try Node(blocking: node.configuration)
                let contents = try await other.open(Parcel(document: document))
                let deliveries = try await other.send(contents, to: other.find(contents.parcel.target))
                guard case .stored(_, representation: 1) = deliveries[0].outcome, case .hidden = deliveries[1].outcome
                else {
                    Issue.record("\(deliveries)")
                    return
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: inbox) == ["n.txt"])
            }
            let offered = forms.withLock(\.self)
            #expect(offered.count == 1 && offered[0].first == "public.plain-text", "\(offered)")
            #expect(!offered.joined().contains("public.png"))
        }
    }

    // MARK: Documents of others

    @Test func parcelOfAnotherVersionIsReported() async throws {
        try await withNode { node, root in
            let text = String(decoding: try await makeParcel(node, root).document(), as: UTF8.self)
            let later = text.replacing("\"version\" : 2", with: "\"version\" : 3")
            let error = try #require(throws: ParcelError.self) { try Parcel(document: Array(later.utf8)) }
            #expect(error == .unknownVersion(3))
            #expect(error.description.contains("version 3"))
        }
    }

    /// The text of a fingerprint.
    private static let someone = "\(Fingerprint(ofKeyBytes: [7]))"

    @Test("a parcel of version 1 is read, and has nothing of members")
    func earlierVersion() async throws {
        try await withNode { node, root in
            let parcel = try await makeParcel(node, root)
            let text = String(decoding: try parcel.document(), as: UTF8.self)
            var earlier = text.replacing("\"version\" : 2", with: "\"version\" : 1")
            earlier.replace(#/ *"members" : \{\s*\},\n/#, with: "")
            try #require(earlier.count < text.count)
            #expect(try Parcel(document: Array(earlier.utf8)) == parcel)
        }
    }

    @Test(
        "a document that contradicts itself is damaged",
        arguments: [
            ("portolan parcel", "portolan pencil"), ("\"preview\" : 0", "\"preview\" : 1"),
            ("\"preview\" : 0", "\"preview\" : -1"), ("\"path\" : \"/", "\"path\" : \""),
            ("\"path\" : \"/", "\"path\" : \"/\\u0000"), ("\"data\" :", "\"path\" : \"/x\", \"data\" :"),
            ("\"limit-rate\" : 1048576", "\"limit-rate\" : 0"), ("\"limit-rate\" : 1048576", "\"limit-rate\" : -1"),
            ("\"limit-rate\" : 1048576", "\"limit-rate\" : 1e300"),
            ("\"retry\" : 90", "\"retry\" : 9223372036854775807"), ("\"retry\" : 90", "\"retry\" : -1"),
            ("\"stall-timeout\" : 45", "\"stall-timeout\" : -1"),
            ("\"settled\" : {", "\"settled\" : { \"7\" : \"stored\""), ("\"settled\" : {", "\"settled\" : { \"a\" : 1"),
            ("\"members\" : {", "\"members\" : { \"x\" : {}"),
            ("\"members\" : {", "\"members\" : { \"\(someone)\" : { \"7\" : \"stored\" }"),
            ("\"members\" : {", "\"members\" : { \"\(someone)\" : {}, \"\(someone.uppercased())\" : {}"),
            ("\"discovery\" : \"off\"", "\"discovery\" : \"telepathy\""), ("own-process", "everybody"),
            ("\"visibility\" : \"own-process\"", "\"visibility\" : \"team\""), ("public.html", "public html"),
            ("\"id\" : \"", "\"id\" : \"g"), ("\"folder\" : true", "\"folder\" : 1"), ("}\n", "}"),
        ])
    func contradictoryDocumentIsDamaged(part: String, instead: String) async throws {
        try await withNode { node, root in
            let text = String(decoding: try await makeParcel(node, root).document(), as: UTF8.self)
            try #require(text.contains(part))
            var changed = text
            if part == "}\n" {
                changed.removeLast()
            } else if let range = changed.range(of: part) {
                changed.replaceSubrange(range, with: instead)
            }
            let error = try #require(throws: ParcelError.self) { try Parcel(document: Array(changed.utf8)) }
            guard case .damaged = error else {
                Issue.record("\(error)")
                return
            }
            #expect(DisplayText.isHarmless(error.description))
        }
    }

    @Test("a parcel that counts as small has a readable document, for any bytes in JSON")
    func smallOnes() throws {
        func parcel(bytes: Int, items: Int) throws -> Parcel {
            let text = String(repeating: "\u{1}", count: bytes / items / 9)
            let form = ParcelForm(
                type: .data, name: text, isFolder: false, restriction: .everyone, content: .path("/" + text))
            return try Parcel(
                id: .random(), created: Date(timeIntervalSince1970: 0), target: ParcelTarget("b"),
                items: Array(repeating: ParcelItem(title: text, forms: [form, form], preview: nil), count: items),
                previews: [], options: ParcelOptions())
        }
        for items in [1, 16] {
            let small = try parcel(bytes: Parcel.sizeLimit / 16 - 16 * 4096, items: items)
            #expect(small.isSmall)
            #expect(try Parcel(document: small.document()) == small)
        }
        #expect(try !parcel(bytes: Parcel.sizeLimit / 2, items: 1).isSmall)
    }

    @Test func noDocumentEndsTheProcess() async throws {
        try await withNode { node, root in
            let document = try await makeParcel(node, root).document()
            var generator = SeededGenerator(seed: testSeed())
            print("seed \(generator.seed)")
            for _ in 0..<4000 {
                var changed = document
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: changed.indices, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: changed[place] = UInt8.random(in: 0x20..<0x7F, using: &generator)
                    case 1: changed.remove(at: place)
                    default: changed.insert(changed[Int.random(in: changed.indices, using: &generator)], at: place)
                    }
                }
                // The changed document is refused, or is a parcel, which can be opened or not.
                guard let parcel = try? Parcel(document: changed) else { continue }
                _ = try? await node.open(parcel)
                _ = parcel.options.sendOptions()
            }
            for text in ["", "\n", "[]\n", "{}\n", "null\n", String(repeating: "[", count: 100_000) + "\n"] {
                #expect(throws: ParcelError.self) { try Parcel(document: Array(text.utf8)) }
            }
            #expect(throws: ParcelError.tooLarge(bytes: Parcel.sizeLimit + 1)) {
                try Parcel(document: [UInt8](repeating: 0x20, count: Parcel.sizeLimit + 1))
            }
        }
    }
}
