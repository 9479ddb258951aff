import Foundation
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanCommand

@Suite struct TeamTextTests {
    private let ada = PinnedKey(DeviceKey.generate().publicKey)
    private let ben = PinnedKey(DeviceKey.generate().publicKey)
    private let now = Date(timeIntervalSince1970: 1_772_000_000)

    private func short(_ fingerprint: Fingerprint) -> String { String(fingerprint.description.prefix(9)) }

    private func view(expires: Date, issued: Date, isRemoved: Bool = false) throws -> TeamView {
        let design = try GroupName("design")
        let members = [
            Member(key: ben, name: try DeviceName("ben"), groups: [], isAdmin: false),
            Member(key: ada, name: try DeviceName("Ada’s laptop"), groups: [design], isAdmin: true),
        ]
        let team = Team(
            id: try #require(TeamID(bytes: Array(repeating: 7, count: 16))), name: try TeamName("acme"), epoch: 12,
            members: members, issued: issued, expires: expires, headCount: 1, digest: [])
        return TeamView(
            team: team, isDefault: true, isAdmin: !isRemoved, ownName: isRemoved ? nil : members[1].name,
            ownGroups: isRemoved ? [] : [design],
            isRemoved: isRemoved,
            removal: isRemoved ? TeamRemoval(signer: members[0].name, signed: issued, isFounder: true) : nil,
            warnings: ["It ends soon\u{1B}."])
    }

    @Test func allKnownFactsAreShown() throws {
        let view = try view(expires: now + 88.5 * 86400, issued: now)
        let lines = TeamText.full(view, own: ada.fingerprint, now: now).split(separator: "\n")
        #expect(lines[0] == "acme  (the default team)")
        #expect(lines.contains("  version  12"))
        #expect(lines.contains { $0.hasPrefix("  expires  20") && $0.hasSuffix(", in 88 days") })
        #expect(lines.contains("  you      admin, in design"))
        #expect(lines.contains("  groups   design"))
        #expect(lines.contains("    “Ada’s laptop”  \(short(ada.fingerprint))  admin  design  (this device)"))
        #expect(lines.contains("    “ben”  \(short(ben.fingerprint))"))
        let full = TeamText.full(view, own: ada.fingerprint, now: now, inFull: true)
        #expect(full.contains("    “ben”  \(ben.fingerprint)"))
    }

    @Test func onlyAdminIsToldWhatToDo() throws {
        let alone = try view(expires: now + 60 * 86400, issued: now)
        #expect(TeamText.onlyAdmin(alone)?.contains("portolan team promote") == true)
        #expect(try TeamText.onlyAdmin(view(expires: now + 86400, issued: now, isRemoved: true)) == nil)
        #expect(TeamText.warnings(alone, now: now).allSatisfy { !$0.contains("renew") })
        for expires in [now - 3600, now + 3600] {
            let ending = try view(expires: expires, issued: now - 80 * 86400)
            #expect(TeamText.warnings(ending, now: now).last?.hasSuffix("portolan team renew acme") == true)
        }
    }

    @Test func teamWithoutRightsIsReported() throws {
        let expired = try view(expires: now - 3600 * 5, issued: now - 90 * 86400)
        #expect(TeamText.line(expired, now: now).hasSuffix("EXPIRED 5 hours ago"))
        let early = try view(expires: now + 400 * 86400, issued: now + 366 * 86400)
        #expect(TeamText.line(early, now: now).contains("FUTURE"))
        let removed = try view(expires: now + 86400, issued: now, isRemoved: true)
        let line = TeamText.line(removed, now: now)
        #expect(line.contains("you: removed, as a roster says that was signed by “ben” on 20"))
        let text = TeamText.full(removed, own: ada.fingerprint, now: now)
        #expect(text.contains("is not told of later changes") && text.contains("portolan team reclaim acme"))
    }

    @Test func datesOutOfRangeAreShownAsTheNearest() throws {
        let view = try view(expires: Date(timeIntervalSince1970: 9e18), issued: Date(timeIntervalSince1970: -9e18))
        #expect(TeamText.full(view, own: ben.fingerprint, now: now).contains("9999-12-"))
        let line = NodeEvent(\.team, .init(view, own: ben.fingerprint, now: now)).line
        #expect(line.contains(#""expires":"9999-12-31T00:00:00Z""#))
        #expect(line.contains(#""issued":"0001-01-0"#))
    }

    @Test func theEventHoldsTheSame() throws {
        let view = try view(expires: now + 86400, issued: now)
        let line = NodeEvent(\.team, .init(view, own: ada.fingerprint, now: now)).line
        let read = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(read["team"] as? String == "acme")
        #expect(read["epoch"] as? Int == 12)
        #expect(read["issued"] as? String == "2026-02-25T06:13:20Z")
        #expect(read["validity"] as? String == "valid")
        #expect(read["warnings"] as? [String] == ["It ends soon\\u{1B}."])
        let members = try #require(read["members"] as? [[String: Any]])
        #expect(members.map { $0["name"] as? String } == ["Ada’s laptop", "ben"])
        #expect(members.map { $0["own"] as? Bool } == [true, false])
        #expect(members[0]["groups"] as? [String] == ["design"])
    }

    @Test func changeListsTheMembersThatHaveIt() throws {
        let change = TeamChange.addToGroup(try GroupName("design"), try DeviceName("ben"))
        let report = TeamChangeReport(
            view: try view(expires: now + 86400, issued: now), byOthers: ["“eve” is a member"],
            told: [try DeviceName("cleo")],
            notReached: [try DeviceName("dora"), try DeviceName("emil")], removedTold: [], removedNotReached: [])
        #expect(TeamChangeText.sentence(change, report) == "“ben” is in “design” of “acme”.")
        #expect(TeamChangeText.spreading(report).first == "By another admin's signature: “eve” is a member.")
        #expect(TeamChangeText.spreading(report)[1] == "Told: “cleo”")
        #expect(TeamChangeText.spreading(report).last?.hasPrefix("Not reached: “dora”, “emil”.") == true)
        let event = NodeEvent(\.teamChanged, .init(change, report)).line
        #expect(event.contains(#""change":"add-to-group""#))
        #expect(event.contains(#""notReached":["dora","emil"]"#))
    }

    @Test func removalReportsWhetherTheRemovedDeviceHasIt() throws {
        func report(told: [DeviceName], notReached: [DeviceName]) throws -> TeamChangeReport {
            TeamChangeReport(
                view: try view(expires: now + 86400, issued: now), byOthers: [], told: [], notReached: [],
                removedTold: told,
                removedNotReached: notReached)
        }
        let ben = try DeviceName("ben")
        let told = try report(told: [ben], notReached: [])
        #expect(TeamChangeText.spreading(told) == ["Told of its removal: “ben”"])
        #expect(NodeEvent(\.teamChanged, .init(reclaimed: told)).line.contains(#""removedTold":["ben"]"#))
        let missed = try report(told: [], notReached: [ben])
        #expect(TeamChangeText.spreading(missed).last?.hasPrefix("Not told of its removal yet: “ben”.") == true)
    }

    @Test func contactShowsBothNamesIfTheyDiffer() throws {
        let contact = Contact(
            name: try DeviceName("work"), announcedName: try DeviceName("workstation"), fingerprint: ada.fingerprint,
            since: now, lastSeen: now)
        let line = ContactLine.text(contact)
        #expect(line.hasPrefix("“work”  \(FingerprintText.text(ada.fingerprint, inFull: false))  since 2026-02-2"))
        #expect(line.hasSuffix("calls itself “workstation”"))
        #expect(NodeEvent(\.contact, .init(contact)).line.contains(#""lastSeen":"2026-02-25T06:13:20Z""#))
    }
}
