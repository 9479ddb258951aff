import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Testing
import UniformTypeIdentifiers

@testable import Portolan
@testable import PortolanCommand

/// Events of every kind: with all optional values, and with none.
struct EventSamples {
    let fingerprint: Fingerprint
    private let key: DeviceKey
    private let member: Member
    private let team: Team
    private let audience: Audience
    private let now = Date(timeIntervalSince1970: 1_772_000_000)
    private let text = "a\u{1B}[2J “b”\u{202E}"
    private let transfer: TransferID

    /// Makes the same events each time, so that their lines can be compared with stored ones.
    init() throws {
        key = try DeviceKey(seed: [UInt8](repeating: 1, count: 32))
        fingerprint = Fingerprint(of: try DeviceKey(seed: [UInt8](repeating: 2, count: 32)).publicKey)
        transfer = try #require(TransferID("00112233445566778899aabbccddeeff-3"))
        let design = try GroupName("design")
        member = Member(
            key: PinnedKey(key.publicKey), name: try DeviceName("ben"), groups: [design],
            isAdmin: true)
        team = Team(
            id: TeamID(founder: member.key, salt: []), name: try TeamName("acme"), epoch: 12, members: [member],
            issued: now, expires: now + 86400, headCount: 1, digest: [])
        audience = try Audience(team: team.id, groups: [design])
    }

    private func peer(isKnown: Bool) -> RemotePeer {
        let membership = Standing.Membership(
            team: team.id, teamName: team.name, groups: member.groups, isAdmin: false)
        return RemotePeer(
            name: text, fingerprint: fingerprint, address: "127.0.0.1:1", isKnown: isKnown,
            localName: isKnown ? "ben" : nil, namesakeOf: isKnown ? nil : fingerprint,
            standing: isKnown ? Standing(isContact: true, memberships: [membership]) : .anyone)
    }

    /// Each kind at least once.
    func all() throws -> [NodeEvent] {
        try sending() + receiving() + shelf() + devices() + teams() + types()
    }

    private func sending() throws -> [NodeEvent] {
        var omissions = Omissions([Omission(path: [0x61, 0xFF], reason: .specialFile)])
        omissions.count(further: 3, missing: 1)
        let stored = try StoredItem(
            name: Array("x".utf8), bytes: 5, entries: 2, omissions: omissions, keptEntries: 1, keptBytes: 2,
            isUpdated: true, surplusEntries: 1)
        let withheld = WithheldEntries(
            listed: [WithheldEntries.Entry(path: DisplayText("a/b"), reason: "for team acme")], count: 3)
        let outcomes: [Delivery.Outcome] = [
            .stored(stored, representation: 1), .hidden, .brokenOff(text),
            .declined(Decline(.notWanted, detail: text), trouble: nil),
            .failed(StoringFailure(.noSpace, detail: text), trouble: text),
        ]
        let name = member.name.text
        let underWay: [NodeEvent] = [
            NodeEvent(\.connected, .init(peer(isKnown: true), member: name)),
            NodeEvent(\.connected, .init(peer(isKnown: false), member: nil)),
            NodeEvent(\.waiting, .init(member: nil)), NodeEvent(\.waiting, .init(member: name)),
            NodeEvent(\.started, .init(transfer, item: 3, title: text, representation: 1, total: .max, member: name)),
            NodeEvent(\.started, .init(transfer, item: nil, title: text, representation: nil, total: nil)),
            NodeEvent(
                \.progress,
                .init(transfer, item: 3, title: text, bytes: .max, transferred: 0, total: 5, isCounting: true)),
            NodeEvent(
                \.progress,
                .init(transfer, item: nil, title: text, bytes: 0, transferred: 0, total: nil, isCounting: false)),
            NodeEvent(\.resumed, .init(transfer, item: 3, title: text, kept: 5)),
            NodeEvent(\.resumed, .init(transfer, item: nil, title: text, peer: peer(isKnown: true), kept: 5)),
            NodeEvent(\.fellBack, .init(transfer, representation: 0, message: text, member: nil)),
            NodeEvent(\.retrying, .init(reason: text, milliseconds: 500, member: nil)),
            NodeEvent(
                \.member,
                .init(
                    member: name, fingerprint: member.key.fingerprint, outcome: .nothingInCommon, code: 81,
                    message: nil)),
            NodeEvent(
                \.member,
                .init(
                    member: name, fingerprint: nil, outcome: .unreachable, code: 69, message: text,
                    fault: .connectionRefused)),
        ]
        return underWay
            + outcomes.map { outcome in
                let delivery = Delivery(transfer: transfer, title: text, outcome: outcome, withheld: withheld)
                return NodeEvent(\.settled, .init(delivery, member: nil))
            }
    }

    private func receiving() throws -> [NodeEvent] {
        func item(size: UInt64?, preview: ItemPreview?) -> IncomingOffer.Item {
            IncomingOffer.Item(
                transfer: transfer, title: text, contentType: "public.data", typeDescription: size.map { _ in text },
                suggestedName: size.map { _ in text }, representation: 0, representationCount: 2, size: size,
                apparentSize: size, mostBytes: size, isFolder: size == nil,
                restriction: size == nil ? .everyone : Restriction(.group, for: audience), preview: preview, forms: [])
        }
        let picture = try ItemPreview.Picture(type: "public.png", data: Data([0xFB, 0xFF]))
        let offer = IncomingOffer(
            peer: peer(isKnown: false),
            items: [
                item(size: 5, preview: try ItemPreview(message: text, image: picture, icon: nil)),
                item(size: nil, preview: nil),
            ], notImportable: [text])
        let taken = try OfferedRepresentation(
            type: OfferedType(identifier: "public.data"), restriction: Restriction(.team, for: audience), channel: .file
        )
        let incoming = IncomingTransfer(
            id: transfer, peer: peer(isKnown: true), title: text,
            parcelPlace: ParcelPlace(parcel: transfer.batch, item: 7))
        let stored = ReceivedItem(
            try StoredItem(bytes: 5, entries: 1), taken, by: incoming, name: "x", path: "/x")
        return [
            NodeEvent(
                \.listening,
                .init(name: "ada", fingerprint: fingerprint, port: 47217, discovery: "avahi", inbox: "/inbox")),
            NodeEvent(\.listening, .init(name: "ada", fingerprint: fingerprint, port: 1, discovery: "off", inbox: nil)),
            NodeEvent(\.renamed, .init(name: text)), NodeEvent(\.offer, .init(offer)),
            NodeEvent(\.declined, .init(peer(isKnown: false), reason: text)),
            NodeEvent(\.declined, .init(incoming, reason: text)),
            NodeEvent(\.quarantined, .init(stored)),
            NodeEvent(\.disconnected, .init(peer(isKnown: true), reason: text)),
            NodeEvent(\.refused, .init(address: text, reason: text)),
            NodeEvent(\.failed, .init(incoming, reason: text)), NodeEvent(\.stored, .init(stored)),
        ]
    }

    private func shelf() throws -> [NodeEvent] {
        let id = try #require(ItemID([UInt8](repeating: 0xA5, count: ItemID.length)))
        func item(_ forms: [OfferedRepresentation], preview: ItemPreview?) throws -> SharedItem {
            SharedItem(
                Message.Listing.Entry(
                    id: id, item: try OfferedItem(title: text, representations: forms, preview: preview)))
        }
        let forms = [
            try OfferedRepresentation(
                type: OfferedType(identifier: "public.data"), restriction: Restriction(.group, for: audience),
                channel: .file, size: 5, suggestedName: "x"),
            try OfferedRepresentation(
                type: OfferedType(identifier: "com.example.unknown"), channel: .file, isFolder: true),
        ]
        return [
            NodeEvent(\.shared, .init(id, title: text)),
            NodeEvent(\.sharedItem, .init(try item(forms, preview: ItemPreview(message: text)))),
            NodeEvent(\.sharedItem, .init(try item([forms[1]], preview: nil))),
            NodeEvent(\.fetched, .init(id, by: peer(isKnown: true), title: text, code: 0, kind: "done")),
            NodeEvent(\.withdrawn, .init(id, title: text, reason: text)),
        ]
    }

    private func devices() throws -> [NodeEvent] {
        let found = Peer(name: text, fingerprint: fingerprint, addresses: [], foundBy: "avahi")
        let unknown = Peer(name: text, fingerprint: nil, addresses: [], foundBy: "address")
        let contact = Contact(
            name: member.name, announcedName: member.name, fingerprint: fingerprint, since: now, lastSeen: now)
        func transfer(isKnown: Bool) -> NodeEvent.TransferState {
            .init(
                id: "k3xq7m2a", direction: isKnown ? .send : .receive, status: .resumable,
                target: isKnown ? text : nil, name: isKnown ? text : nil, fingerprint: isKnown ? text : nil,
                titles: [text], bytes: 5, total: isKnown ? 7 : nil, created: now, folder: "/")
        }
        let home = try HomeDirectory(override: "/nonexistent", environment: [:])
        return [
            NodeEvent(\.peer, .init(found)), NodeEvent(\.peer, .init(unknown)), NodeEvent(\.peerGone, .init(found)),
            NodeEvent(\.peerGone, .init(unknown)),
            NodeEvent(\.contact, .init(contact)), NodeEvent(\.contactForgotten, .init(contact)),
            NodeEvent(\.paired, .init(contact)),
            NodeEvent(\.note, .init(text)), NodeEvent(\.step, .init(text)),
            NodeEvent(
                \.finding,
                .init(probe: "disk", level: .fail, seen: text, advice: text, cause: "disk", code: 109)),
            NodeEvent(
                \.finding, .init(probe: "disk", level: .ok, seen: text, advice: nil, cause: nil, code: nil)),
            NodeEvent(
                \.error,
                .init(
                    code: 69, kind: "unreachable", message: text, candidates: [found, unknown], fault: .nameAmbiguous)),
            .end(.done),
            NodeEvent(\.id, .init(DeviceIdentity(name: member.name, key: key), in: home)),
            NodeEvent(\.transfer, transfer(isKnown: true)), NodeEvent(\.transferCancelled, transfer(isKnown: false)),
            NodeEvent(\.transferForgotten, transfer(isKnown: true)),
        ]
    }

    private func teams() throws -> [NodeEvent] {
        func view(isRemoved: Bool) -> TeamView {
            TeamView(
                team: team, isDefault: true, isAdmin: !isRemoved, ownName: isRemoved ? nil : member.name,
                ownGroups: member.groups, isRemoved: isRemoved,
                removal: isRemoved ? TeamRemoval(signer: member.name, signed: now, isFounder: false) : nil,
                warnings: [text])
        }
        let report = TeamChangeReport(
            view: view(isRemoved: false), byOthers: [], told: [member.name], notReached: [member.name], removedTold: [],
            removedNotReached: [])
        let changes: [TeamChange] = [
            .remove(member.name), .addToGroup(member.groups[0], member.name),
            .removeFromGroup(member.groups[0], member.name), .promote(member.name), .renew, .demote(member.name),
        ]
        let code = try PairingCode("7-walnut-harbor")
        let states: [NodeEvent] = [
            NodeEvent(\.team, .init(view(isRemoved: false), own: fingerprint, now: now)),
            NodeEvent(\.team, .init(view(isRemoved: true), own: member.key.fingerprint, now: now + 9 * 86400)),
            NodeEvent(\.joined, .init(member, of: team)),
            NodeEvent(\.teamLeft, .init(team, told: [member.name], notReached: [member.name])),
            NodeEvent(\.teamChanged, .init(reclaimed: report)),
            NodeEvent(\.code, .init(code, seconds: 600, team: nil, groups: [], uses: 1)),
            NodeEvent(\.code, .init(code, seconds: 600, team: team.name, groups: member.groups, uses: 5)),
            NodeEvent(CodeEvent.waiting(port: 1, discovery: "off")), NodeEvent(CodeEvent.found(address: text)),
            NodeEvent(CodeEvent.refused(address: text, reason: text)), NodeEvent(CodeEvent.warning(text)),
        ]
        return states + changes.map { NodeEvent(\.teamChanged, .init($0, report)) }
    }

    private func types() throws -> [NodeEvent] {
        func form(isShown: Bool) -> RepresentationView {
            RepresentationView(
                representation: 0, contentType: isShown ? .png : UTType(exportedAs: "com.example.sample"),
                suggestedName: isShown ? text : nil, size: isShown ? 5 : nil, isFolder: false,
                restriction: isShown ? Restriction(.team, for: audience) : .nobody,
                visibility: isShown ? .team : .group,
                audience: text, isShown: isShown, position: isShown ? 0 : nil, reason: text,
                converter: isShown ? "cp" : nil)
        }
        let item = ItemView(item: 0, title: text, representations: [], pictures: [])
        return [
            NodeEvent(\.representation, .init(form(isShown: true), of: item)),
            NodeEvent(\.representation, .init(form(isShown: false), of: item)),
            NodeEvent(\.type, .init(.png, declaredIn: nil, of: nil)),
            NodeEvent(\.type, .init(UTType(exportedAs: "com.example.sample"), declaredIn: "/x.plist", of: "/x")),
            NodeEvent(\.conforms, .init(.png, to: .image, conforms: true)), NodeEvent(\.imported, .init(path: "/x")),
            NodeEvent(
                \.problem, .init(TypeProblem(.error, file: "/x", line: 3, keyPath: "a.b", identifier: "c.d", text))),
            NodeEvent(\.problem, .init(TypeProblem(.warning, text))),
            NodeEvent(\.configurationFile, .init(.settings, path: "/x", exists: true)),
            NodeEvent(\.setting, .init("port", "1", .file, at: "/x:3")),
            NodeEvent(\.setting, .init("team", nil, .byDefault, at: nil)),
        ]
    }
}
