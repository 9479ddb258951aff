/// Control records that no decoder may take, put together by hand.
func refusedMessageScenarios() -> [Scenario] {
    func refused(_ name: String, _ bytes: [UInt8], _ kind: String, _ comment: String) -> Scenario {
        Scenario("message-refused-" + name, kind: "message", comment, ["bytes": hex(bytes), "refused": kind])
    }
    let type = Proto.field(1, "public.data")
    func offer(_ representation: [UInt8], title: String = "t") -> [UInt8] {
        Proto.field(1, Proto.field(1, 7) + Proto.field(2, Proto.field(1, title) + Proto.field(2, representation)))
    }
    func typed(_ type: [UInt8]) -> [UInt8] { offer(Proto.field(1, type) + Proto.field(3, 1)) }
    let plain = Proto.field(1, type) + Proto.field(3, 1)
    func previewed(_ preview: [UInt8]) -> [UInt8] {
        Proto.field(1, Proto.field(1, 7) + Proto.field(2, Proto.field(2, plain) + Proto.field(3, preview)))
    }
    func inline(_ representation: UInt64, _ more: [UInt8]) -> [UInt8] {
        let content = (representation == 0 ? [] : Proto.field(1, representation)) + more
        return Proto.field(1, Proto.field(1, 7) + Proto.field(2, Proto.field(2, plain) + Proto.field(4, content)))
    }
    /// An offer of items of a parcel.
    func sent(_ parcel: [UInt8], _ items: [UInt64], _ more: [UInt8] = []) -> [UInt8] {
        let items = items.flatMap { item in
            Proto.field(2, Proto.field(2, plain) + (item == 0 ? [] : Proto.fixed(5, item)))
        }
        return Proto.field(1, Proto.field(1, 7) + items + more + (parcel.isEmpty ? [] : Proto.field(4, parcel)))
    }
    let parcel = [UInt8](repeating: 1, count: 16)
    let stored = Proto.field(8, Proto.field(2, 5))
    func choice(_ item: UInt64, _ representation: UInt64) -> [UInt8] {
        Proto.field(2, Proto.field(1, item) + Proto.field(2, representation))
    }
    return [
        refused("garbage", [0xFF, 0xFF, 0xFF], "malformed", "Bytes that are no protobuf."),
        refused("cut", Array(offer(plain).dropLast()), "malformed", "An offer whose last byte is missing."),
        refused("nothing", Proto.field(99, 1), "malformed", "A control record in which no known message is."),
        refused("reserved-lane", Proto.field(49, [UInt8]()), "malformed", "A message number reserved for lanes."),
        refused("offer-without-items", Proto.field(1, Proto.field(1, 7)), "malformed", "An offer of nothing."),
        refused(
            "offer-item-without-representations", Proto.field(1, Proto.field(2, Proto.field(1, "t"))), "malformed",
            "An item that has no form."),
        refused(
            "offer-1025-items", Proto.field(1, (0..<1025).flatMap { _ in Proto.field(2, [UInt8]()) }), "limit",
            "One item too many."),
        refused(
            "offer-33-representations",
            Proto.field(1, Proto.field(2, (0..<33).flatMap { _ in Proto.field(2, plain) })), "limit",
            "One representation too many."),
        refused("offer-own-process", offer(plain + Proto.field(2, 3)), "malformed", "What never leaves its process."),
        refused("offer-visibility-4", offer(plain + Proto.field(2, 4)), "malformed", "A visibility nobody knows."),
        refused("offer-without-channel", offer(Proto.field(1, type)), "malformed", "No channel."),
        refused(
            "offer-channel-3", offer(Proto.field(1, type) + Proto.field(3, 3)), "malformed", "A channel nobody knows."),
        refused("offer-folder-as-data", offer(plain + Proto.field(6, 1)), "malformed", "A folder on the data channel."),
        refused("offer-size-too-large", offer(plain + Proto.field(4, 1 << 63)), "limit", "A size of 2^63."),
        refused(
            "offer-apparent-size-too-large", offer(plain + Proto.field(4, 1) + Proto.field(9, 1 << 63)), "limit",
            "A size with holes of 2^63."),
        refused(
            "offer-apparent-size-smaller", offer(plain + Proto.field(4, 2) + Proto.field(9, 1)), "malformed",
            "More content than the file has bytes."),
        refused(
            "offer-apparent-size-alone", offer(plain + Proto.field(9, 1)), "malformed",
            "A size with holes, and none without."),
        refused(
            "offer-estimate-of-file", offer(Proto.field(1, type) + Proto.field(3, 2) + Proto.field(10, 1)), "malformed",
            "An estimate of a file."),
        refused(
            "offer-estimate-beside-size",
            offer(
                Proto.field(1, type) + Proto.field(3, 2) + Proto.field(4, 1) + Proto.field(6, 1) + Proto.field(10, 1)),
            "malformed", "An estimate of a folder whose size is told."),
        refused(
            "offer-estimate-too-large",
            offer(Proto.field(1, type) + Proto.field(3, 2) + Proto.field(6, 1) + Proto.field(10, 1 << 63)), "limit",
            "An estimate of 2^63."),
        refused(
            "offer-long-title", offer(plain, title: String(repeating: "t", count: 1025)), "limit",
            "A title of 1025 bytes."),
        refused(
            "offer-title-not-utf8",
            Proto.field(1, Proto.field(2, Proto.field(1, [0xC3, 0x28]) + Proto.field(2, plain))), "malformed",
            "A title that is not UTF-8."),
        refused(
            "offer-preview-empty-picture", previewed(Proto.field(2, Proto.field(1, "public.png"))), "malformed",
            "A picture without data."),
        refused(
            "offer-preview-large-picture",
            previewed(
                Proto.field(3, Proto.field(1, "public.png") + Proto.field(2, [UInt8](repeating: 0, count: 32769)))),
            "limit", "An icon of 32,769 bytes."),
        refused(
            "offer-preview-picture-without-type", previewed(Proto.field(2, Proto.field(2, [0x89]))), "malformed",
            "A picture of no type."),
        refused(
            "offer-preview-long-message", previewed(Proto.field(1, String(repeating: "m", count: 1025))), "limit",
            "A message of 1025 bytes."),
        refused("offer-without-type", offer(Proto.field(3, 1)), "malformed", "A representation of no type."),
        refused(
            "offer-type-with-space", typed(Proto.field(1, "public data")), "malformed", "A space in an identifier."),
        refused(
            "offer-type-with-escape", typed(Proto.field(1, "public.\u{1B}[2J")), "malformed",
            "An escape in an identifier."),
        refused(
            "offer-type-too-long", typed(Proto.field(1, String(repeating: "a", count: 256))), "limit",
            "An identifier of 256 bytes."),
        refused("offer-ancestor-empty", typed(type + Proto.field(2, "")), "malformed", "An ancestor without a name."),
        refused(
            "offer-65-ancestors", typed(type + (0..<65).flatMap { _ in Proto.field(2, "a.b") }), "limit",
            "One ancestor too many."),
        refused(
            "offer-extension-with-slash", typed(type + Proto.field(3, "../x")), "malformed", "A path as an extension."),
        refused(
            "offer-source-15", offer(plain + Proto.field(8, [UInt8](repeating: 1, count: 15))), "malformed",
            "A short identity."),
        refused("offer-parcel-15", sent(Array(parcel.dropLast()), [1]), "malformed", "A short parcel."),
        refused("offer-parcel-17", sent(parcel + [1], [1]), "malformed", "A long parcel."),
        refused(
            "offer-parcel-item-missing", sent(parcel, [1, 0]), "malformed",
            "An item without an identifier in its parcel."),
        refused("offer-parcel-item-twice", sent(parcel, [1, 1]), "malformed", "Two items of one identifier."),
        refused("offer-parcel-item-of-nothing", sent([], [1]), "malformed", "An item of a parcel, and no parcel."),
        refused(
            "offer-parcel-of-request", sent(parcel, [1], Proto.field(3, 1)), "malformed",
            "An offer that answers a request is part of no parcel."),
        refused(
            "answer-decline-stored", Proto.field(2, Proto.field(2, Proto.field(3, Proto.field(1, 1)) + stored)),
            "malformed", "An item that is declined and was stored."),
        refused(
            "offer-inline-of-nothing", inline(1, Proto.field(4, "x")), "malformed",
            "Content of a representation that is not there."),
        refused(
            "offer-inline-data-requires", inline(0, Proto.field(3, 1) + Proto.field(4, "x")), "malformed",
            "Data that requires something."),
        refused(
            "offer-inline-long-name", inline(0, Proto.field(2, String(repeating: "n", count: 256))), "limit",
            "A name of 256 bytes."),
        refused(
            "offer-inline-131073-bytes", inline(0, Proto.field(4, [UInt8](repeating: 0, count: 131_073))), "limit",
            "More content than an offer brings."),
        refused(
            "answer-17-lanes", Proto.field(2, Proto.field(2, Proto.field(2, 1) + Proto.field(6, 17))), "limit",
            "A lane too many."),
        refused(
            "answer-decline-17-lanes",
            Proto.field(2, Proto.field(2, Proto.field(3, Proto.field(1, 1)) + Proto.field(6, 17))), "limit",
            "A lane too many, and nothing is taken."),
        refused(
            "begin-data-asks", Proto.field(4, Proto.field(5, 1) + Proto.field(8, 1)), "malformed",
            "Data, of which nothing can be there."),
        refused(
            "begin-data-requires", Proto.field(4, Proto.field(5, 1) + Proto.field(9, 1)), "malformed",
            "Data that must keep its permissions."),
        refused(
            "begin-data-whole", Proto.field(4, Proto.field(5, 1) + Proto.field(11, 1)), "malformed",
            "Data that comes as files may."),
        refused(
            "begin-asks-whole", Proto.field(4, Proto.field(5, 2) + Proto.field(8, 1) + Proto.field(11, 1)), "malformed",
            "Files of which something is there, and that come whole."),
        refused("end-17-lanes", Proto.field(7, Proto.field(7, 0..<17)), "limit", "A lane too many."),
        refused("end-lane-twice", Proto.field(7, Proto.field(7, [3, 3])), "malformed", "One lane twice."),
        refused("wanted-nothing", Proto.field(32, Proto.field(1, 1)), "malformed", "No decision."),
        refused("wanted-4", Proto.field(32, Proto.field(3, [0, 4])), "malformed", "A decision nobody knows."),
        refused(
            "wanted-65537", Proto.field(32, Proto.field(3, [UInt8](repeating: 0, count: 65_537))), "limit",
            "One decision too many."),
        refused(
            "wanted-beyond", Proto.field(32, Proto.field(2, 0xFFFF_FFFF) + Proto.field(3, [0, 0])), "malformed",
            "Entries that cannot be numbered."),
        refused(
            "base-nothing-and-more", Proto.field(35, Proto.field(1, 1)), "malformed",
            "Nothing is said, and more is to come."),
        refused(
            "base-short-key", Proto.field(35, Proto.field(3, [1]) + Proto.field(4, 1) + Proto.field(6, 1)), "malformed",
            "A key of one byte."),
        refused(
            "base-size-alone", Proto.field(35, Proto.field(4, 1) + Proto.field(6, 1)), "malformed",
            "A size without a key."),
        refused(
            "base-too-large",
            Proto.field(
                35,
                Proto.field(3, [UInt8](repeating: 0x40, count: 32)) + Proto.field(4, (1 << 32) + 1)
                    + Proto.field(6, 1)),
            "limit", "An earlier version of a byte more than there may be."),
        refused("compare-nothing", Proto.field(36, Proto.field(1, 1)), "malformed", "Nothing is asked for."),
        refused(
            "compare-half-a-run", Proto.field(36, Proto.field(3, [0])), "malformed",
            "A run of groups without its length."),
        refused(
            "compare-touching", Proto.field(36, Proto.field(3, [0, 1, 1, 1])), "malformed", "Two runs that touch."),
        refused(
            "compare-block", Proto.field(36, Proto.field(4, [0, 1, 0x81, 2, 4])), "malformed", "Blocks of 257 bytes."),
        refused(
            "compare-short-block", Proto.field(36, Proto.field(4, [0, 16, 0x80, 2, 4])), "malformed",
            "Blocks of 256 bytes."),
        refused(
            "compare-shifted", Proto.field(36, Proto.field(4, [1, 0x80, 8, 0x80, 8, 4])), "malformed",
            "Blocks that begin at the second byte."),
        refused(
            "compare-overlapping",
            Proto.field(36, Proto.field(4, [0, 0x80, 16, 0x80, 8, 4, 0x80, 8, 0x80, 8, 0x80, 8, 4])), "malformed",
            "A block that is in two ranges."),
        refused(
            "holding-nothing", Proto.field(33, Proto.field(1, 1)), "malformed", "Nothing is held, and more is to come."),
        refused(
            "holding-cut", Proto.field(33, Proto.field(4, [UInt8](repeating: 0, count: 17))), "malformed",
            "A digest and a bit."),
        refused(
            "holding-8193", Proto.field(33, Proto.field(4, [UInt8](repeating: 0, count: 16 * 8193))), "limit",
            "One digest too many."),
        refused(
            "holding-far", Proto.field(33, Proto.field(3, 1 << 46) + Proto.field(5, 1)), "limit",
            "A block beyond the end of any file."),
        refused("answer-empty", Proto.field(2, Proto.field(1, 7)), "malformed", "An answer that decides nothing."),
        refused("answer-twice", Proto.field(2, choice(0, 0) + choice(0, 1)), "malformed", "One item decided twice."),
        refused(
            "answer-undecided", Proto.field(2, Proto.field(2, Proto.field(1, 1))), "malformed",
            "An item without decision."),
        refused("begin-without-channel", Proto.field(4, Proto.field(1, 1)), "malformed", "No channel."),
        refused(
            "begin-long-name", Proto.field(4, Proto.field(5, 2) + Proto.field(6, [UInt8](repeating: 0x61, count: 256))),
            "limit", "A name of 256 bytes."),
        refused(
            "receipt-without-outcome", Proto.field(9, Proto.field(1, 7)), "malformed", "A receipt that says nothing."),
        refused(
            "close-long-detail", Proto.field(12, Proto.field(2, String(repeating: "d", count: 1025))), "limit",
            "A detail of 1025 bytes."),
    ]
}
