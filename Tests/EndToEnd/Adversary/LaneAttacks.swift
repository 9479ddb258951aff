import Foundation
import Glibc
import HostilePeers
import PortolanProtocol

/// Attack of a sender on its lanes while a transfer arrives, and its outcome.
struct LaneAttack: Sendable {
    let name: String
    let form: HostilePeer.Form
    let code: CloseCode
    /// Possible sentences for the victim's user: if two connections report the attack, their order is random.
    let sentences: [String]
    let run: @Sendable (HostilePeer) throws -> Void

    init(
        _ description: String, _ form: HostilePeer.Form = .file, _ code: CloseCode = .protocolViolation,
        says sentences: String..., run: @escaping @Sendable (HostilePeer) throws -> Void
    ) {
        name = description
        self.form = form
        self.code = code
        self.sentences = sentences
        self.run = run
    }

    static let all = ranges + records + trees + ends

    // MARK: Ranges

    private static let ranges = [
        LaneAttack("the same bytes twice", says: "A part of a file came twice.") { peer in
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 8))
            try lane.sendPayload([1, 2, 3, 4])
            try lane.sendPayload([3, 4, 5, 6], at: 2)
        },
        LaneAttack("the same bytes on two lanes", says: "A part of a file came twice.") { peer in
            let lanes = [try peer.openLane(), try peer.openLane(1)]
            try lanes[0].send(.file(0, size: 8))
            for lane in lanes { try lane.sendPayload([1, 2, 3, 4]) }
        },
        LaneAttack("a hole where bytes came", says: "A part of a file came twice.") { peer in
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 8))
            try lane.sendPayload([1], at: 4)
            try lane.send(.hole(0, 0..<8))
        },
        LaneAttack("bytes behind the end", says: "A file has more content than was declared.") { peer in
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 8))
            try lane.sendPayload([1], at: 8)
        },
        LaneAttack("a hole beyond the end", says: "A file has more content than was declared.") { peer in
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 8))
            try lane.send(.hole(0, 0..<(1 << 60)))
        },
        LaneAttack(
            "bytes beyond every file", .file, .limit, says: "Payload came for a place beyond the end of any file."
        ) { peer in
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 8))
            try lane.sendPayload([1], at: .max)
        },
        LaneAttack("a file in crumbs", .file, .limit, says: "A file comes in more than 4096 parts.") { peer in
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 1 << 20))
            for part in 0...4096 { try lane.sendPayload([1], at: UInt64(2 * part)) }
        },
        LaneAttack("endless holes in streams", .folder, says: "A hole came in a stream.") { peer in
            let streams = (1...3).map { HostileElement.file($0, name: "\($0)", size: nil) }
            let holes = (1...3).map { HostileElement.hole($0, 0..<UInt64(Int64.max)) }
            let lane = try peer.openLane()
            try lane.sendTree([.folder(0)] + streams + holes)
            lane.cut()
        },
        LaneAttack("a stream out of its order", says: "A part of a file came out of order.") { peer in
            let lane = try peer.openLane()
            try lane.send(.file(0, size: nil))
            try lane.sendPayload([1], at: 1)
        },
    ]

    // MARK: Records

    /// A zstd frame of 1 GiB of zeros, in blocks of 128 KiB that are four bytes each.
    ///
    /// - Parameter header: bytes after the magic number.
    private static func bomb(_ header: [UInt8]) -> [UInt8] {
        let block: [UInt8] = [0x02, 0x00, 0x10, 0x00]
        var last = block
        last[0] |= 1
        return [0x28, 0xB5, 0x2F, 0xFD] + header + (1..<8192).flatMap { _ in block } + last
    }

    private static func packed(_ frame: [UInt8], original: UInt32 = 1 << 20) -> [UInt8] {
        PayloadHeader(transfer: 1, entry: 0, offset: 0).encode()
            + withUnsafeBytes(of: original.bigEndian, Array.init) + frame
    }

    private static func packedAttack(_ description: String, says sentence: String, _ plaintext: [UInt8]) -> LaneAttack {
        LaneAttack(description, says: sentence) { peer in
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 1 << 20))
            try lane.sendRecord(type: 5, plaintext)
        }
    }

    private static let records = [
        packedAttack(
            "a bomb that says nothing of its size",
            says: "A packed block is refused: it does not give as many bytes as were announced.",
            packed(bomb([0x00, 0x50]))),
        packedAttack(
            "a bomb that says how large it is",
            says: "A packed block is refused: it asks for more than 1048576 bytes of memory.",
            packed(bomb([0xA0, 0x00, 0x00, 0x00, 0x40]))),
        packedAttack(
            "a bomb that lies about its size",
            says: "A packed block is refused: it does not give as many bytes as were announced.",
            packed(bomb([0xA0, 0x00, 0x00, 0x10, 0x00]))),
        packedAttack(
            "packed bytes of which fewer come than were declared",
            says: "A packed block is refused: it does not give as many bytes as were announced.",
            packed([0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50, 0x03, 0x00, 0x10, 0x00])),
        LaneAttack("a message on a lane", says: "A record came on a connection that is for others.") { peer in
            try peer.openLane().sendRecord(type: 1, Message.ping(id: 1).encode())
        },
        LaneAttack(
            "something behind a lane's end", says: "Something follows the end of a lane."
        ) { peer in
            let lane = try peer.openLane()
            try lane.sendAtOnce([
                (RecordType.end.rawValue, []), (RecordType.payload.rawValue, [UInt8](repeating: 0, count: 17)),
            ])
        },
        LaneAttack(
            "something behind a lane's end, later", says: "Something follows the end of a lane."
        ) { peer in
            let lane = try peer.openLane()
            try lane.sendEnd()
            // The pause keeps the byte out of the read that takes the end.
            usleep(200_000)
            try lane.send([0])
        },
        LaneAttack(
            "something behind a transfer's mark", .folder, says: "Content of a transfer came on a lane after its mark."
        ) { peer in
            try peer.openLane().send(.folder(0), .mark, .folder(1, name: "more"))
        },
        LaneAttack(
            "something for a transfer that never was",
            says: "Content came on a lane for a transfer that has ended."
        ) { peer in
            try peer.openLane().send(.file(0, size: 1), transfer: 0)
        },
        LaneAttack(
            "a tree record that holds no element",
            says: "An element of a kind that this version does not know."
        ) { peer in
            try peer.openLane().sendRecord(type: 4, [0, 0, 0, 1, 11])
        },
    ]

    // MARK: Trees

    private static let trees = [
        LaneAttack(
            "an entry on another lane", .folder, says: "An entry came on another lane than the first."
        ) { peer in
            try peer.openLane().send(.folder(0))
            try peer.openLane(1).send(.folder(0))
        },
        LaneAttack(
            "a folder for a file",
            says: "A folder came instead of the offered file, or a file instead of the offered folder."
        ) {
            try $0.openLane().send(.folder(0))
        },
        LaneAttack("a link for a file", says: "A link came as an item; only files and folders can be items.") {
            try $0.openLane().send(.link(0, name: "", to: "/etc/passwd"))
        },
        LaneAttack(
            "an entry too far", .folder, says: "Entry 2 came instead of entry 1."
        ) { try $0.openLane().send(.folder(0), .folder(2, name: "a")) },
        LaneAttack(
            "a file in a file", .folder, says: "An entry lies in entry 1, which is no open folder."
        ) { try $0.openLane().send(.folder(0), .whole(1, name: "a", [1]), .whole(2, in: 1, name: "b", [1])) },
        LaneAttack(
            "folders without end", .folder, .limit, says: "More than 128 folders lie inside one another."
        ) { peer in
            let chain = (1...128).map { HostileElement.folder($0, in: $0 - 1, name: "a") }
            try peer.openLane().sendTree([.folder(0)] + chain)
        },
        LaneAttack(
            "content for an entry that never came", .folder,
            says: "An element came for entry 7, which does not exist."
        ) { peer in
            let lane = try peer.openLane()
            try lane.send(.folder(0))
            try lane.sendPayload([1], of: 7)
        },
        LaneAttack(
            "content for a folder", .folder, says: "Content came for entry 0, which expects none."
        ) { peer in
            let lane = try peer.openLane()
            try lane.send(.folder(0))
            try lane.sendPayload([1])
        },
        LaneAttack(
            "content at once that nobody asked for",
            says: "The whole content of entry 0 came without being asked for."
        ) { try $0.openLane().send(.file(0, size: 1), .content(0, [1])) },
    ]

    // MARK: Ends

    private static let ends = [
        LaneAttack("a file that ends before its size", says: "A file ended before its declared size.") { peer in
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 8))
            try lane.sendPayload([1, 2, 3, 4])
            try lane.send(.end(0, size: 8, sent: 4))
        },
        LaneAttack("a file of another size", says: "A file ended with another size than was declared.") { peer in
            try peer.openLane().send(.file(0, size: 8), .end(0, size: 4))
        },
        LaneAttack("a file that ends twice", says: "A file ended twice.") { peer in
            try peer.openLane().send(.file(0, size: 8), .end(0, size: 8), .end(0, size: 8))
        },
        LaneAttack("a transfer that ends inside a file", says: "A transfer ended inside a file.") { peer in
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 8))
            try lane.sendPayload([1, 2, 3, 4])
            // The end announces the whole file; half of it never comes.
            try lane.send(.end(0, size: 8), .mark)
            try peer.end(entries: 1, bytes: 4)
        },
        LaneAttack(
            "totals that are wrong", says: "A transfer ended with totals that do not match its content."
        ) { peer in
            try peer.openLane().send(.whole(0, [1]), .mark)
            try peer.end(entries: 2, bytes: 1)
        },
        LaneAttack("nothing at all", says: "A transfer ended without a file.") { peer in
            try peer.openLane().send(.mark)
            try peer.end(entries: 0, bytes: 0)
        },
        LaneAttack(
            "more lanes than it says", says: "A transfer used more lanes than its end lists.",
            "Content of a transfer came on a lane that it does not use."
        ) { peer in
            let lane = try peer.openLane(1)
            try peer.openLane().send(.file(0, size: 1))
            try lane.sendPayload([1])
            try lane.send(.end(0, size: 1))
            try peer.end(entries: 1, bytes: 1)
        },
        LaneAttack("payload on the session", says: "Content came on the session that must come on lanes.") { peer in
            try peer.sendPayload(PayloadHeader(transfer: 1, entry: 0, offset: 0), [1])
        },
    ]
}
