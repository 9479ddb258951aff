import GRDB
import PortolanSyncPlan

/// Computes the proofs of seals, by a secret of this device.
package struct SealMaker: Sendable {
    static let proofLength = 16

    /// Returns 16 bytes for a state, which only this device can compute.
    let proof: @Sendable (_ state: [UInt8]) -> [UInt8]

    package init(_ proof: @escaping @Sendable (_ state: [UInt8]) -> [UInt8]) { self.proof = proof }
}

/// State of this device's replica that others were told of. A later state has greater bytes.
struct SealedState: Hashable {
    /// Time when the epoch began, in nanoseconds since 1970.
    var begun: UInt64
    var epoch: UInt64
    var sequence: UInt64
    /// Counter of the changes by the replica.
    var count: UInt64
    /// Distinguishes states of a database and of a copy of it.
    var random: UInt64

    init(begun: UInt64, epoch: UInt64, sequence: UInt64, count: UInt64, random: UInt64) {
        (self.begun, self.epoch, self.sequence, self.count, self.random) = (begun, epoch, sequence, count, random)
    }

    var bytes: [UInt8] {
        [begun, epoch, sequence, count, random].flatMap { number in
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
    }

    /// - Returns: nil unless this device made the seal.
    init?(_ seal: ReplicaSeal, by maker: SealMaker) {
        let state = Array(seal.bytes.dropLast(SealMaker.proofLength))
        let difference = zip(maker.proof(state), seal.bytes.suffix(SealMaker.proofLength)).reduce(0) {
            $0 | ($1.0 ^ $1.1)
        }
        guard difference == 0 else { return nil }
        let numbers = stride(from: 0, to: state.count, by: 8).map { start in
            state[start..<start + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        self.init(
            begun: numbers[0], epoch: numbers[1], sequence: numbers[2], count: numbers[3], random: numbers[4])
    }

    func seal(by maker: SealMaker) -> ReplicaSeal {
        guard let seal = ReplicaSeal(bytes + maker.proof(bytes)) else {
            preconditionFailure("A proof has 16 bytes.")
        }
        return seal
    }
}

// MARK: - States that others were told of

extension StoredIndex {
    /// Number of kept states. Members give back older ones only after so many changes without them, and these count as
    /// known.
    private static let mostTold = 1024

    /// The latest state that others were told of; nil for none.
    var lastTold: SealedState? {
        transaction.attempt(nil) {
            try transaction.first("SELECT sequence, count, random FROM told ORDER BY sequence DESC LIMIT 1") { row in
                SealedState(
                    begun: transaction.state.begun, epoch: replica.epoch, sequence: row.unsigned(0),
                    count: row.unsigned(1), random: row.unsigned(2))
            }
        }
    }

    /// Records the present state as one that others are told of.
    func addTold() {
        transaction.attempt(()) {
            let random = UInt64.random(in: 0 ... .max)
            try transaction.execute(
                "INSERT OR REPLACE INTO told VALUES (?, ?, ?)",
                StatementArguments([sequence, counter, random].map { Int64(bitPattern: $0) }))
            try transaction.execute(
                """
                DELETE FROM told WHERE sequence < (SELECT sequence FROM told ORDER BY sequence DESC LIMIT 1 OFFSET ?)
                """, [Self.mostTold - 1])
        }
    }

    /// True if others were told of the state by which another epoch of the device was begun, in the present epoch.
    func hasTold(theCauseOf epoch: UInt64, by maker: SealMaker) -> Bool {
        let begun = transaction.state.begun
        return transaction.attempt(false) {
            try Row.fetchCursor(transaction.database, sql: "SELECT sequence, count, random FROM told").contains { row in
                let state = SealedState(
                    begun: begun, epoch: replica.epoch, sequence: row.unsigned("sequence"),
                    count: row.unsigned("count"), random: row.unsigned("random"))
                return maker.isEpoch(epoch, after: state)
            }
        }
    }

    /// True if the replica was in this state, according to its database.
    func knows(_ sealed: SealedState) -> Bool {
        guard sealed.epoch == replica.epoch else { return sealed.begun <= transaction.state.begun }
        return transaction.attempt(true) {
            let told = try transaction.first(
                "SELECT count, random FROM told WHERE sequence = ?", [Int64(bitPattern: sealed.sequence)]
            ) { ($0.unsigned(0), $0.unsigned(1)) }
            if let told { return told == (sealed.count, sealed.random) }
            let oldest = try transaction.first(
                "SELECT sequence FROM told ORDER BY sequence DESC LIMIT 1 OFFSET ?", [Self.mostTold - 1]
            ) { $0.unsigned(0) }
            return sealed.sequence < oldest ?? 0
        }
    }
}
