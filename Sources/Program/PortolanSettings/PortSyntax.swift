import Portolan

/// A TCP port that a peer can listen on.
package enum PortSyntax {
    /// - Throws: `ValueError` for any other text.
    package static func parse(_ text: String) throws(ValueError) -> UInt16 {
        guard let port = UInt16(text), port > 0, text.utf8.first != UInt8(ascii: "+") else {
            throw ValueError("A port is a number from 1 to 65535.")
        }
        return port
    }
}
