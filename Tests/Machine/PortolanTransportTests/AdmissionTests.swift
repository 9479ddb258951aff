import Testing

@testable import PortolanTransport

@Suite struct AdmissionTests {
    @Test("an address has few places; its oldest makes room, and no other address's")
    func limitsEachAddress() {
        var admission = Admission(limit: 10, limitPerAddress: 2)
        #expect(admission.arrived(1, from: "b") == .admit)
        #expect(admission.arrived(2, from: "a") == .admit)
        #expect(admission.arrived(3, from: "a") == .admit)
        #expect(admission.arrived(4, from: "a") == .admitInsteadOf(2))
        #expect(admission.arrived(5, from: "b") == .admit)
        admission.left(3)
        #expect(admission.arrived(6, from: "a") == .admit)
        #expect(admission.count == 4)
    }

    @Test("the oldest makes room when all places are taken, so that a flood shuts no peer out")
    func displacesTheOldest() {
        var admission = Admission(limit: 3, limitPerAddress: 1)
        for number in 1...3 { #expect(admission.arrived(UInt64(number), from: "\(number)") == .admit) }
        #expect(admission.arrived(4, from: "4") == .admitInsteadOf(1))
        #expect(admission.arrived(5, from: "5") == .admitInsteadOf(2))
        #expect(admission.count == 3)
    }

    @Test("a connection that has begun its handshake stays longer than silent ones, and not for ever")
    func prefersTheSilent() {
        var admission = Admission(limit: 3, limitPerAddress: 3)
        for number in 1...3 { _ = admission.arrived(UInt64(number), from: "a") }
        admission.spoke(1)
        #expect(admission.arrived(4, from: "b") == .admitInsteadOf(2))
        for number: UInt64 in [3, 4] { admission.spoke(number) }
        #expect(admission.arrived(5, from: "c") == .admitInsteadOf(1), "all have spoken")
        #expect(admission.arrived(6, from: "c") == .admitInsteadOf(5))
    }

    @Test("an address that has many places makes room before one that has few")
    func sparesAddressesWithFewConnections() {
        var admission = Admission(limit: 6, limitPerAddress: 4)
        for (number, address) in ["honest", "a", "a", "b", "b", "b"].enumerated() {
            #expect(admission.arrived(UInt64(number), from: address) == .admit)
        }
        #expect(admission.arrived(6, from: "c") == .admitInsteadOf(3))
        #expect(admission.arrived(7, from: "c") == .admitInsteadOf(1), "of as many, the oldest")
        admission.spoke(0)
        for number: UInt64 in [2, 4, 5, 6, 7] { admission.spoke(number) }
        #expect(admission.arrived(8, from: "d") == .admitInsteadOf(4), "also of those that have spoken")
    }

    @Test("without descriptors the oldest silent one makes room")
    func makesRoom() {
        var admission = Admission(limit: 9, limitPerAddress: 9)
        #expect(admission.makeRoom() == nil)
        for number in 1...3 { _ = admission.arrived(UInt64(number), from: "a") }
        admission.spoke(1)
        #expect(
            [admission.makeRoom(), admission.makeRoom(), admission.makeRoom(), admission.makeRoom()] == [2, 3, 1, nil])
    }

    @Test("a connection that was displaced may still say that it spoke and left")
    func forgivesLeavingTwice() {
        var admission = Admission(limit: 1, limitPerAddress: 1)
        _ = admission.arrived(1, from: "a")
        _ = admission.arrived(2, from: "b")
        admission.spoke(1)
        admission.left(1)
        #expect(admission.count == 1)
        admission.left(2)
        admission.left(2)
        #expect(admission.count == 0)
    }
}
