import PortolanAgent
import PortolanValues
import UniformTypeIdentifiers

extension FuzzTarget {
    /// Policy files, and offers that are tried on them.
    static let policies = FuzzTarget("policies") { input in
        let name = String(decoding: input.piece(), as: UTF8.self)
        let text = String(decoding: input.rest(), as: UTF8.self)
        _ = try? PolicyOffer.parse(text)
        require(
            PolicyFile.mistakes(in: text, userHome: "/home/ada").allSatisfy { DisplayText.isHarmless("\($0)") },
            "A sentence that is no text")
        guard let file = try? PolicyFile.parse(text) else { return }
        let unknown = PolicyOffer.Item(name: name, types: [nil], size: nil, mostBytes: nil)
        let known = PolicyOffer.Item(name: name, types: [.png], size: 1, mostBytes: 1)
        let offers =
            file.tests.map(\.offer) + [
                PolicyOffer(peer: .init(name: name), items: [unknown, known]),
                PolicyOffer(peer: .init(name: name, hasDoubtfulName: true), items: [known]),
            ]
        for offer in offers {
            let verdicts = file.policy.verdicts(for: offer)
            require(verdicts.count == offer.items.count, "An item without a verdict")
            for verdict in verdicts { PolicyFuzzer.check(verdict, of: offer) }
            let explained = file.policy.explain(offer)
            require(explained.map(\.verdict) == verdicts, "An explanation of another verdict")
            for one in explained {
                require(
                    one.passed.count == (one.verdict.rule ?? file.policy.rules.count + 1) - 1, "A rule without a reason"
                )
                require(one.passed.allSatisfy { DisplayText.isHarmless($0.description) }, "A reason that is no text")
            }
        }
    }
}

private enum PolicyFuzzer {
    static func check(_ verdict: PolicyVerdict, of offer: PolicyOffer) {
        let folder: String?
        switch verdict.action {
        case .accept(let path), .quarantine(let path):
            require(!offer.peer.hasDoubtfulName, "A peer of a doubtful name is let in")
            folder = path
        case .ask(_, let ending, let path):
            require(
                ending == .decline || !offer.peer.hasDoubtfulName,
                "A peer of a doubtful name is let in without an answer")
            folder = path
        case .decline: folder = nil
        }
        // By bytes, as the system reads a path.
        for part in (folder ?? "").utf8.split(separator: UInt8(ascii: "/")) {
            require(
                !part.elementsEqual("..".utf8) && part.count <= 255 && !part.contains(0),
                "A path that leaves its folder")
        }
    }
}
