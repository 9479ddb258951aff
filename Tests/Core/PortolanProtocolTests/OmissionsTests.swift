import Testing

@testable import PortolanProtocol

@Suite struct OmissionsTests {
    private func omission(_ name: String) -> Omission { Omission(path: Array(name.utf8), reason: .unreadable) }

    @Test func countedOmissionsOfOneSideKeepTheNamesOfTheOther() {
        var omissions = Omissions()
        omissions.count(further: 1, missing: 1)
        omissions.append(contentsOf: Omissions([omission("a"), omission("b")]))
        #expect(omissions.listed.map(\.path) == [Array("a".utf8), Array("b".utf8)] && omissions.count == 3)
    }

    @Test func firstOmissionsAreListed() {
        let all = (0..<Limits.omissions + 2).map { omission("\($0)") }
        #expect(Omissions(all).listed == Array(all.prefix(Limits.omissions)) && Omissions(all).further == 2)
        // An omission without room is not replaced by a shorter one.
        let long = Omission(path: Array(repeating: UInt8(ascii: "x"), count: Limits.path), reason: .unreadable)
        let many = Array(repeating: long, count: Limits.omissionBytes / Limits.path + 1)
        let omissions = Omissions(many + [omission("a")])
        #expect(!omissions.listed.contains(omission("a")) && omissions.further == 2)
    }
}
