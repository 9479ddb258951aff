import PortolanProtocol
import PortolanValues
import Testing

@testable import PortolanCommand

@Suite struct OmissionLineTests {
    private func omissions(_ counts: [(Omission.Reason, Int)], further: UInt64 = 0) -> Omissions {
        var omissions = Omissions(
            counts.flatMap { reason, count in
                (0..<count).map { Omission(path: Array("\(reason)-\($0)".utf8), reason: reason) }
            })
        omissions.count(further: further, missing: 0)
        return omissions
    }

    @Test func fewOmissionsAreListed() {
        let lines = OmissionLine.sentences(omissions([(.attributes, 2)]))
        #expect(lines.count == 2)
        #expect(lines[0].contains("attributes-0"))
        #expect(OmissionLine.sentences(Omissions()).isEmpty)
    }

    @Test func manyAreCountedByKindFirst() {
        let lines = OmissionLine.sentences(omissions([(.attributes, 3), (.specialFile, 1)], further: 1000))
        #expect(
            lines[0] == "not everything could be carried: 1 device, socket or pipe was left out; "
                + "3 lost extended attributes; 1,000 more are only counted")
        #expect(lines.count == 6)
        #expect(lines[5] == "not carried: 1,000 more")
    }

    @Test func aLongListIsCutAndItsRestCounted() {
        let lines = OmissionLine.sentences(omissions([(.mode, 60)]))
        #expect(lines.count == 22)
        #expect(lines[21] == "not carried: 40 more")
    }

    @Test func partsWithoutNamesAreCounted() {
        let one = omissions([], further: 1)
        #expect(OmissionLine.sentences(one) == ["not carried: 1 file or folder that has no name here"])
        // The sender names it elsewhere.
        #expect(OmissionLine.sentences(one, named: 1).isEmpty)
        #expect(OmissionLine.sentences(omissions([(.mode, 1)], further: 2), named: 1).last == "not carried: 1 more")
    }

    @Test("every kind has words", arguments: Omission.Reason.allCases)
    func words(reason: Omission.Reason) {
        for count in [1, 4] {
            for line in OmissionLine.sentences(omissions([(reason, count)])) {
                #expect(line.hasPrefix("not "))
                #expect(DisplayText.isHarmless(line))
            }
        }
    }

    @Test func fileStoredBesideAnEditedOneIsNotAnOmission() {
        #expect(
            OmissionLine.sentences(omissions([(.conflict, 1)]))
                == ["not replaced: “conflict-0”, it was changed there, and stays as it is; the new one lies beside it"])
        let many = OmissionLine.sentences(omissions([(.conflict, 4)]))
        #expect(many.count == 5 && many.allSatisfy { !$0.contains("carried") }, "\(many)")
        let mixed = OmissionLine.sentences(omissions([(.conflict, 4), (.mode, 1)]))
        #expect(mixed[0].hasPrefix("not everything could be carried: ") && mixed.count == 6, "\(mixed)")
    }

    @Test func clauseHasKindAndNumber() {
        func clause(_ count: Int, missing: UInt64) -> String? {
            var omissions = Omissions()
            omissions.count(further: UInt64(count), missing: missing)
            return OmissionLine.clause(omissions)
        }
        #expect(clause(0, missing: 0) == nil)
        #expect(clause(1, missing: 0) == "1 file or folder is not as it was")
        #expect(clause(2, missing: 0) == "2 files or folders are not as they were")
        #expect(clause(3, missing: 1) == "1 file or folder is missing, 2 files or folders are not as they were")
        #expect(clause(2, missing: 2) == "2 files or folders are missing")
    }

    @Test func hostileNamesAreShownSafely() {
        let omission = Omission(path: Array("a\u{1B}[2J\u{202E}".utf8) + [0xFF], reason: .name)
        for line in OmissionLine.sentences(Omissions([omission])) { #expect(DisplayText.isHarmless(line)) }
    }

    @Test(
        "files that were there already are named",
        arguments: [
            (
                200_000, 199_997, 20 << 30, 19 << 30,
                "3 of 200,000 files and folders were sent (1.07 GB), 199,997 were already there"
            ),
            (4, 4, 100, 100, "all 4 of its files and folders were already there"),
            (1, 0, 4_000_000, 1_000_000, "3.00 MB of 4.00 MB were sent, the rest was already there"),
            (1, 1, 4000, 4000, "all of it, 4.00 kB, was already there"),
        ] as [(UInt64, UInt64, UInt64, UInt64, String)])
    func kept(entries: UInt64, keptEntries: UInt64, bytes: UInt64, keptBytes: UInt64, text: String) {
        #expect(
            PresentContentText.sentence(entries: entries, keptEntries: keptEntries, bytes: bytes, keptBytes: keptBytes)
                == text)
    }

    @Test func withoutKeptContentNothingIsReported() {
        #expect(PresentContentText.sentence(entries: 3, keptEntries: 0, bytes: 10, keptBytes: 0) == nil)
    }

    @Test("numbers are grouped", arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")])
    func grouped(number: Int, text: String) {
        #expect(Human.number(number) == text)
    }
}
