import PortolanProtocol
import PortolanTransport

/// Device that proved its key with a code, which excludes an attacker in between. Its key is stored, but it is no
/// contact: one exchange does not make later offers welcome.
package struct MetDevice: Sendable, Hashable {
    /// Name that the device announces.
    package let name: DeviceName
    package let fingerprint: Fingerprint
}

extension Node {
    /// Waits until the code is entered on another device.
    ///
    /// - Parameters: those of ``waitForPairing(_:valid:events:)``.
    /// - Throws: `NodeError`, `StoreError`, `CancellationError`
    package func waitForMeeting(
        _ code: PairingCode, valid: Duration, events: @escaping @Sendable (CodeEvent) -> Void = { _ in }
    ) async throws -> MetDevice {
        try await wait(for: code, valid: valid, events: events) { try self.remember($0) }
    }

    /// Enters the code that another device shows.
    ///
    /// - Parameters: those of ``pair(with:at:wait:events:)``.
    /// - Throws: `NodeError`, `StoreError`, `CancellationError`
    package func meet(
        with code: PairingCode, at place: String? = nil, wait: Duration,
        events: @escaping @Sendable (CodeEvent) -> Void = { _ in }
    ) async throws -> MetDevice {
        do {
            return try await enter(code, at: place, wait: wait, events: events) { try self.remember($0) }
        } catch let error as NodeError where error.advice == .startPairing {
            throw NodeError(
                error.kind, error.description, candidates: error.candidates, advice: .startSending, fault: error.fault)
        }
    }

    /// Finds a device that was met and is about to receive.
    ///
    /// - Parameter patience: longest time until it appears.
    /// - Throws: `NodeError` if it does not, `CancellationError`.
    package func find(_ device: MetDevice, within patience: Duration) async throws -> Peer {
        let end = runtime.now + patience
        while true {
            do {
                return try await find(device.fingerprint.description)
            } catch let error as NodeError where error.kind == .unreachable && runtime.now < end {
                // The device has only just entered the code.
                try await runtime.sleep(for: .milliseconds(500))
            }
        }
    }

    /// May block.
    private func remember(_ peer: RemoteIdentity) throws -> MetDevice {
        _ = try store.peers.remember(name: peer.name, key: peer.deviceKey, now: runtime.date)
        return MetDevice(name: peer.name, fingerprint: peer.fingerprint)
    }
}
