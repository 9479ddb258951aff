import Foundation
import Portolan
import PortolanValues
import Testing
import UniformTypeIdentifiers

@testable import PortolanAgent

@Suite struct OfferPolicyTests {
    @Test(
        "without rules contacts and members ask, and strangers are declined",
        arguments: [
            ("contact: laptop", "ask"), ("teams: \"@acme\"", "ask"), ("name: printer", "decline"),
            ("{ name: laptop, doubtful: true }", "decline"),
        ])
    func defaults(sender: String, expected: String) throws {
        let sender = sender.hasPrefix("{") ? String(sender.dropFirst().dropLast()) : sender
        let offer = try offer("{ \(sender), items: [{ type: png, size: 1M }] }")
        let verdict = try #require(OfferPolicy().verdicts(for: offer).first)
        #expect(verdict.action.kind.rawValue == expected)
        #expect(verdict.rule == nil && verdict.line == nil)
    }

    @Test func firstMatchingRuleDecidesForEachItem() throws {
        let policy = try policy(
            """
              - { from: laptop, type: png, action: accept }
              - { from: laptop, type: public.image, action: quarantine }
              - { from: anyone, action: decline, say: No. }
            """)
        let offer = try offer("{ contact: laptop, items: [{ type: pdf }, { type: jpeg }, { type: png }] }")
        let verdicts = policy.verdicts(for: offer)
        #expect(verdicts.map(\.rule) == [3, 2, 1])
        #expect(verdicts.map(\.line) == [5, 4, 3])
        #expect(verdicts.map(\.action) == [.decline(detail: "No."), .quarantine(into: nil), .accept(into: nil)])
    }

    @Test(
        "senders",
        arguments: [
            ("anyone", "contact: laptop", true), ("anyone", "name: x", true),
            ("anyone", "name: x, doubtful: true", false),
            ("contacts", "contact: laptop", true), ("contacts", "name: laptop", false),
            ("contacts", "teams: '@acme'", false), ("members", "teams: '@acme'", true),
            ("members", "contact: x", false),
            ("strangers", "name: x", true), ("strangers", "contact: x", false), ("strangers", "teams: '@acme'", false),
            ("strangers", "name: x, doubtful: true", false), ("laptop", "contact: LAPTOP", true),
            ("laptop", "contact: phone", false), ("laptop", "name: laptop", false),
            ("laptop", "name: laptop, teams: '@acme'", false), ("laptop", "name: laptop, doubtful: true", false),
            ("'@acme'", "teams: '@ACME'", true), ("'@acme'", "teams: '@acme/design'", true),
            ("'@acme'", "teams: '@other'", false), ("'@acme/design'", "teams: '@acme/design'", true),
            ("'@acme/design'", "teams: '@acme/print'", false), ("'@acme/design'", "teams: '@acme'", false),
            ("'@acme/design'", "teams: ['@other/design', '@acme']", false),
            ("[phone, laptop]", "contact: laptop", true), ("[phone, '@acme']", "contact: laptop", false),
        ])
    func senders(from: String, sender: String, isTaken: Bool) throws {
        let policy = try policy("  - { from: \(from), action: accept }\n  - { from: anyone, action: decline }")
        #expect(try policy.words("{ \(sender), items: [{ type: png }] }") == [isTaken ? "accept" : "decline"])
    }

    @Test func namesakeMatchesNoRuleByName() throws {
        let peer = PolicyOffer.Peer(name: "laptop", isContact: true, hasDoubtfulName: true)
        let offer = PolicyOffer(peer: peer, items: [.init(name: "", types: [.png], size: 1, mostBytes: 1)])
        for from in ["laptop", "contacts", "anyone"] {
            let policy = try policy(
                "  - { from: \(from), action: accept }\n  - { from: strangers, action: quarantine }")
            #expect(policy.verdicts(for: offer).map(\.action.kind) == [.ask], "\(from)")
        }
    }

    @Test(
        "conditions",
        arguments: [
            ("type: public.image", "type: png", true), ("type: public.image", "type: pdf", false),
            ("type: [pdf, image/png]", "type: png", true), ("type: public.image", "size: 1", false),
            ("type: public.image", "type: [png, jpeg]", true), ("type: public.image", "type: [png, pdf]", false),
            ("type: [png, pdf]", "type: [png, pdf]", true),
            ("type: com.example.note", "type: com.example.note", true),
            ("max-size: 2K", "size: 2K", true), ("max-size: 2K", "size: 2049", false),
            ("max-size: 2K", "type: png", false),
            ("min-size: 2K", "size: 2K", true), ("min-size: 2K", "size: 2047", false),
            ("min-size: 2K", "type: png", false),
            ("min-size: 1K, max-size: 2K", "size: 1500", true),
        ])
    func conditions(condition: String, item: String, isTaken: Bool) throws {
        let policy = try policy("  - { from: anyone, \(condition), action: accept }")
        #expect(try policy.words("{ items: [{ \(item) }] }") == [isTaken ? "accept" : "decline"])
    }

    @Test(
        "conditions on the whole offer",
        arguments: [
            ("max-items: 2", "", true), ("max-items: 1", "", false), ("min-items: 2", "", true),
            ("min-items: 3", "", false),
            ("min-free: 1G", "free: 1G", true), ("min-free: 1G", "free: 1M", false), ("min-free: 1G", "", false),
            ("max-free: 1G", "free: 1M", true), ("max-free: 1G", "free: 2G", false),
            ("hours: 09:00-17:00", "time: 2026-11-25 09:00", true),
            ("hours: 09:00-17:00", "time: 2026-11-25 17:00", false), ("hours: 09:00-17:00", "", false),
            ("hours: 22:00-06:00", "time: 2026-11-25 23:00", true),
            ("hours: 22:00-06:00", "time: 2026-11-25 05:59", true),
            ("hours: 22:00-06:00", "time: 2026-11-25 06:00", false),
            ("hours: 20:00-24:00", "time: 2026-11-25 23:59", true),
            ("hours: [01:00-02:00, 03:00-04:00]", "time: 2026-11-25 03:30", true),
            ("days: wed", "time: 2026-11-25 09:00", true), ("days: mon-fri", "time: 2026-11-28 09:00", false),
            ("days: sat-mon", "time: 2026-11-29 09:00", true),
            ("days: [mon, sat-sun]", "time: 2026-11-25 09:00", false),
            ("days: wed", "", false),
        ])
    func offerConditions(condition: String, facts: String, isTaken: Bool) throws {
        let policy = try policy("  - { from: anyone, \(condition), action: accept }")
        let word = isTaken ? "accept" : "decline"
        #expect(try policy.words("{ items: [{ size: 1 }, { size: 2 }], \(facts) }") == [word, word])
    }

    @Test func itemsThatCannotBeImportedCountTowardsLimits() throws {
        let item = PolicyOffer.Item(name: "", types: [.png], size: 1, mostBytes: 1)
        let offer = PolicyOffer(peer: .init(name: "x"), items: [item], count: 3)
        let policy = try policy("  - { from: anyone, max-items: 2, action: accept }")
        #expect(policy.verdicts(for: offer).map(\.action.kind) == [.decline])
    }

    @Test(
        "a rule that cannot be evaluated lets nothing in and lets nothing pass",
        arguments: [
            ("accept", "accept"), ("quarantine", "accept"), ("decline", "decline"), ("ask", "ask"),
            ("ask, then: accept", "ask"), ("ask, then: quarantine", "ask"),
        ])
    func unknown(action: String, expected: String) throws {
        let policy = try policy(
            """
              - { from: anyone, min-size: 1G, max-size: 2G, action: \(action) }
              - { from: anyone, action: accept, into: later }
            """)
        let verdict = try #require(policy.verdicts(for: try offer("{ items: [{ type: public.folder }] }")).first)
        #expect(verdict.action.kind.rawValue == expected)
        switch verdict.action {
        case .accept(let folder): #expect(folder == "later", "only the rule that could be evaluated accepts")
        case .ask(_, let ending, _): #expect(ending == .decline, "nothing comes in without an answer")
        case .quarantine, .decline: break
        }
    }

    @Test func unansweredQuestionEndsByTheFallbackOfItsRule() throws {
        let policy = try policy("  - { from: anyone, max-size: 1G, action: ask, wait: 10m, then: quarantine, into: a }")
        let verdict = try #require(policy.verdicts(for: try offer("{ items: [{ size: 1M }] }")).first)
        #expect(verdict.action == .ask(wait: .seconds(600), ending: .quarantine, into: "a"))
        let folders = PolicyFolders(inbox: "/in", quarantine: "/apart")
        #expect(verdict.answer(in: folders) == .ask)
        #expect(verdict.agreed(in: folders) == .take(into: .folder("/in/a").owned(by: [nil])))
        #expect(verdict.unanswered(in: folders) == .take(into: .quarantine("/apart")))
    }

    @Test func growingSizeCountsAsTheLargest() throws {
        let item = PolicyOffer.Item(name: "", types: [.png, .tiff], size: 10, mostBytes: 5000)
        let offer = PolicyOffer(peer: .init(name: "x"), items: [item])
        func word(_ rule: String) throws -> PolicyActionKind? {
            try policy("  - { from: anyone, \(rule) }").verdicts(for: offer).first?.action.kind
        }
        #expect(try word("max-size: 4K, action: accept") == .decline)
        #expect(try word("max-size: 8K, action: accept") == .accept)
        let (rule, number) = ("min-size: 4K, action: ask", try word("min-size: 4K, action: ask"))
        #expect(number == .ask, "\(rule)")
        #expect(try word("min-size: 8K, action: ask") == .decline)
    }

    @Test func aThousandRulesAreSearchedInOrder() throws {
        var text = ""
        for number in 1...1000 {
            text += "  - { from: device\(number), type: [png, com.example.t\(number)], action: accept }\n"
        }
        let policy = try policy(text)
        for number in [1, 2, 500, 999, 1000] {
            let offer = try offer(
                "{ contact: device\(number), items: [{ type: png }, { type: com.example.t\(number) }, { type: com.example.t0 }] }"
            )
            #expect(policy.verdicts(for: offer).map(\.rule) == [number, number, nil])
        }
        let explained = policy.explain(try offer("{ contact: device1000, items: [{ type: png }] }"))
        #expect(explained.first?.passed.count == 999)
        let short = policy.explain(try offer("{ contact: device1000, items: [{ type: png }] }"), passing: 50)
        #expect(short.first?.passed.map(\.rule) == Array(950...999))
    }

    @Test func anExplanationNamesTheFirstConditionOfEachEarlierRule() throws {
        let policy = try policy(
            """
              - { from: [phone, "@acme"], type: pdf, action: accept }
              - { from: contacts, max-items: 0, action: accept }
              - { from: contacts, min-free: 1G, action: accept }
              - { from: contacts, hours: 01:00-02:00, action: accept }
              - { from: contacts, days: sun, action: accept }
              - { from: contacts, type: pdf, max-size: 1, action: accept }
              - { from: contacts, type: png, max-size: 1K, action: accept }
              - { from: contacts, action: ask }
              - { from: contacts, action: decline }
            """)
        let explanation = try #require(
            policy.explain(
                try offer("{ contact: laptop, items: [{ type: png, size: 2K }], free: 1M, time: 2026-11-25 14:30 }")
            ).first)
        #expect(explanation.verdict.rule == 8 && explanation.verdict.origin == "rule 8 (line 10)")
        #expect(
            explanation.passed.map(\.mismatch.condition)
                == [.sender, .count, .freeSpace, .hours, .days, .type, .size])
        #expect(
            explanation.passed.map(\.description) == [
                "rule 1 (line 3) does not match: its sender is not phone, nor @acme",
                "rule 2 (line 4) does not match: the offer has 1 item",
                "rule 3 (line 5) does not match: 1048576 bytes are free",
                "rule 4 (line 6) does not match: it is 14:30", "rule 5 (line 7) does not match: it is wed",
                "rule 6 (line 8) does not match: it is public.png", "rule 7 (line 9) does not match: it has 2048 bytes",
            ])
        let unknown = try #require(
            policy.explain(try offer("{ contact: laptop, items: [{ type: [png, gif] }] }")).first)
        #expect(unknown.passed.map(\.mismatch.isUnknown) == [false, false, true, true, true, false, true])
        #expect(unknown.passed.last?.reason == "it may come as com.compuserve.gif")
    }
}
