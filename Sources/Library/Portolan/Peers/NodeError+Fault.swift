import PortolanTransport

extension NodeError {
    /// Fault of the connection to another device: the network, its name, or an absent peer.
    public struct Fault: Hashable, Sendable {
        /// Faults as programs distinguish them. Raw values are part of the `--json` output and never change.
        public enum Code: String, Codable, Sendable, CaseIterable {
            /// The machine answers, but nothing listens on the port.
            case connectionRefused = "connection-refused"
            /// No answer.
            case connectionTimedOut = "connection-timed-out"
            /// Unused address, or a firewall that rejects the packets.
            case hostUnreachable = "host-unreachable"
            /// This machine has no route to the address.
            case networkUnreachable = "network-unreachable"
            /// No interface of this machine has an address.
            case noInterface = "no-interface"
            /// Connection that failed for another reason.
            case connectionFailed = "connection-failed"
            /// The peer was found, and has no address that can be tried.
            case noAddress = "no-address"
            /// The name of a host has no address.
            case hostUnknown = "host-unknown"
            /// Discovery is off, and a name was given.
            case discoveryOff = "discovery-off"
            /// mDNS is not possible on this machine.
            case discoveryFailed = "discovery-failed"
            /// The mDNS query had no answer.
            case nobodyAnswered = "nobody-answered"
            /// Other peers are present, but none of this name.
            case nameUnknown = "name-unknown"
            /// Several are called so.
            case nameAmbiguous = "name-ambiguous"
        }

        public let code: Code
        /// The peer: its name on this device, or the name as the user gave it; nil for a device that waits with a code.
        /// Show it through `DisplayText`.
        public let peer: String?
        /// TCP port of the attempt; nil if no connection was attempted.
        public let port: UInt16?

        public init(_ code: Code, peer: String? = nil, port: UInt16? = nil) {
            self.code = code
            self.peer = peer
            self.port = port
        }
    }
}

extension NodeError.Fault {
    /// - Parameter isOffline: true if this machine has no address that others can reach.
    init(_ fault: ConnectionFault, isOffline: Bool) {
        let code: Code =
            switch fault.kind {
            case .refused: .connectionRefused
            case .silent: .connectionTimedOut
            case .hostUnreachable: .hostUnreachable
            case .networkUnreachable: isOffline ? .noInterface : .networkUnreachable
            case .failed: .connectionFailed
            case .noAddress: .noAddress
            }
        self.init(code, peer: fault.peer, port: fault.port)
    }
}
