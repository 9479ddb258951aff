import PortolanProtocol

/// Requires that a message from this program fits into a record and round-trips.
func requireReadable(_ message: Message) {
    let bytes = message.encode()
    require(bytes.count <= Limits.control, "What is said is too long")
    require((try? Message(decoding: bytes)) == message, "What is said cannot be read")
}
