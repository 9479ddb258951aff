import Testing

@testable import PortolanTransport

@Suite struct AdmissionTests {
    @Test("one address has few places, and gets them back")
    func limitsEachAddress() {
        var admission = Admission(limit: 10, limitPerAddress: 2)
        #expect(admission.arrived(1, from: "a") == .admit)
        #expect(admission.arrived(2, from: "a") == .admit)
        #expect(admission.arrived(3, from: "a") == .refuse)
        #expect(admission.arrived(4, from: "b") == .admit)
        admission.left(1)
        #expect(admission.arrived(5, from: "a") == .admit)
    }

    @Test("when all places are taken the oldest makes room, so that a flood keeps nobody out")
    func displacesTheOldest() {
        var admission = Admission(limit: 3, limitPerAddress: 1)
        for number in 1...3 { #expect(admission.arrived(UInt64(number), from: "\(number)") == .admit) }
        #expect(admission.arrived(4, from: "4") == .admitInsteadOf(1))
        #expect(admission.arrived(5, from: "5") == .admitInsteadOf(2))
        #expect(admission.count == 3)
    }

    @Test("a connection that was displaced or refused may still say that it left")
    func forgivesLeavingTwice() {
        var admission = Admission(limit: 1, limitPerAddress: 1)
        _ = admission.arrived(1, from: "a")
        _ = admission.arrived(2, from: "b")
        admission.left(1)
        #expect(admission.count == 1)
        admission.left(2)
        admission.left(2)
        #expect(admission.count == 0)
    }
}
