import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Testing
import UniformTypeIdentifiers

@testable import Portolan
@testable import PortolanAgent

/// Conversion of the node's offers to a policy's facts, and of verdicts to the node's decisions.
@Suite struct PolicyDecisionTests {
    private func peer(
        localName: String? = nil, isKnown: Bool = true, namesakeOf: Fingerprint? = nil, _ standing: Standing
    ) -> RemotePeer {
        RemotePeer(
            name: "laptop", fingerprint: Fingerprint(ofKeyBytes: [1]), address: "192.0.2.1", isKnown: isKnown,
            localName: localName, namesakeOf: namesakeOf, standing: standing)
    }

    private func form(_ type: String, _ size: UInt64?, fitsItsType: Bool = true) -> IncomingOffer.Form {
        .init(
            contentType: type, typeDescription: nil, suggestedName: nil, size: size, apparentSize: size,
            isFolder: !fitsItsType, restriction: .everyone, fitsItsType: fitsItsType)
    }

    private func item(_ number: Int, title: String, _ forms: [IncomingOffer.Form], shown: Int = 0) -> IncomingOffer.Item
    {
        .init(
            transfer: TransferID(batch: .random(), item: number), title: title, contentType: forms[shown].contentType,
            typeDescription: nil, suggestedName: nil, representation: shown, representationCount: forms.count,
            size: forms[shown].size, apparentSize: forms[shown].apparentSize,
            mostBytes: forms[shown...].contains { $0.apparentSize == nil }
                ? nil : forms[shown...].compactMap(\.apparentSize).max(),
            isFolder: false, restriction: .everyone, preview: nil, forms: forms)
    }

    private let time = PolicyTime(Date(timeIntervalSince1970: 0), in: .gmt)

    @Test func policyFactsComeFromTheSession() throws {
        let team = try #require(TeamID(bytes: [UInt8](repeating: 1, count: 16)))
        let membership = Standing.Membership(
            team: team, teamName: try TeamName("acme"), groups: [try GroupName("design")], isAdmin: false)
        let member = PolicyOffer.Peer(
            peer(
                localName: "laptop (2)", namesakeOf: Fingerprint(ofKeyBytes: [2]),
                Standing(isContact: false, memberships: [membership])))
        #expect(member.name == "laptop (2)" && !member.hasDoubtfulName && !member.isStranger)
        #expect(member.teams == [.init(try TeamName("acme"), groups: [try GroupName("design")])])
        #expect(member.fingerprint == Fingerprint(ofKeyBytes: [1]))
        let namesake = PolicyOffer.Peer(peer(isKnown: false, namesakeOf: Fingerprint(ofKeyBytes: [2]), .anyone))
        #expect(namesake.hasDoubtfulName && namesake.isStranger)

        let forms = [form("public.html", nil), form("public.png", 5), form("public.jpeg", 7), form("a b", 1)]
        let offer = PolicyOffer(
            IncomingOffer(
                peer: peer(Standing(isContact: true, memberships: [])), items: [item(0, title: "x", forms, shown: 1)],
                notImportable: ["y", "z"]), freeSpace: 9, time: time)
        #expect(offer.peer.isContact && offer.count == 3 && offer.freeSpace == 9)
        #expect(
            offer.items == [.init(name: "x", types: [.png, .jpeg, nil], size: 5, mostBytes: 7)],
            "forms before the one that is shown do not come")
        #expect(time.date == "1970-01-01" && time.weekday == .thu && time.clock == "00:00")
    }

    @Test func ruleMatchesARenamedContactByItsLocalName() throws {
        let policy = try policy("  - { from: study, action: accept }\n  - { from: laptop, action: quarantine }")
        let incoming = IncomingOffer(
            peer: peer(localName: "study", Standing(isContact: true, memberships: [])),
            items: [item(0, title: "x", [form("public.png", 5)])], notImportable: [])
        let offer = PolicyOffer(incoming, freeSpace: nil, time: time)
        #expect(policy.verdicts(for: offer).map(\.rule) == [1])
    }

    @Test func verdictsBecomeADecision() throws {
        let policy = try policy(
            """
              - { from: anyone, type: png, action: accept, into: "{sender}/{name}" }
              - { from: anyone, type: jpeg, action: accept }
              - { from: anyone, type: pdf, action: quarantine }
              - { from: anyone, type: gif, action: quarantine, into: "/apart/{date}" }
              - { from: anyone, type: zip, action: ask }
              - { from: anyone, action: decline, say: No. }
            """)
        let types = [
            "public.png", "public.jpeg", "com.adobe.pdf", "com.compuserve.gif", "public.zip-archive", "public.html",
        ]
        let items = types.enumerated().map { item($0.offset, title: "x", [form($0.element, 5)]) }
        let incoming = IncomingOffer(peer: peer(.anyone), items: items, notImportable: [])
        let verdicts = policy.verdicts(for: PolicyOffer(incoming, freeSpace: nil, time: time))
        let fingerprint = Fingerprint(ofKeyBytes: [1]).description
        let decision = Decision(verdicts, for: incoming, in: PolicyFolders(inbox: "/in", quarantine: "/q"))
        #expect(
            items.map(decision.answer) == [
                .take(
                    into: .folder("/in/laptop \(fingerprint.prefix(9))").owned(by: ["key \(fingerprint)"]),
                    types: [.png]), .take(types: [.jpeg]),
                .take(into: .quarantine("/q"), types: [.pdf]),
                .take(into: .quarantine("/apart/1970-01-01").owned(by: [nil]), types: [.gif]), .ask,
                .decline(detail: "No.", because: "rule 6 (line 8) of the policy declines it."),
            ])
    }

    @Test("a folder that says it is a picture matches no rule that takes pictures in")
    func folderIsNoPicture() throws {
        let policy = try policy(
            """
              - { from: anyone, type: public.image, action: accept }
              - { from: anyone, action: ask }
            """)
        let items = [true, false].enumerated().map {
            item($0.offset, title: "x", [form("public.png", 5, fitsItsType: $0.element)])
        }
        let incoming = IncomingOffer(peer: peer(.anyone), items: items, notImportable: [])
        let verdicts = policy.verdicts(for: PolicyOffer(incoming, freeSpace: nil, time: time))
        #expect(verdicts.map(\.action.kind) == [.accept, .ask])
    }
}
