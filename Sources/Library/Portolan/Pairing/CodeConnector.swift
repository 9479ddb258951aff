import PortolanDiscovery
import PortolanProtocol
import PortolanTransport

/// Finds the device that waits with a code, and opens a session with the code.
struct CodeConnector: Sendable {
    let environment: NodeEnvironment
    let code: PairingCode
    let purpose: PairingPurpose
    let events: @Sendable (CodeEvent) -> Void

    /// Wait for a second device with the same number. Hosts on the link answer within 120 ms (RFC 6762 §6).
    private static let rivalWait = Duration.milliseconds(150)

    /// - Parameters:
    ///   - place: `host:port` of the other device; nil searches for the code's number.
    ///   - wait: longest time until the other device appears.
    /// - Throws: `NodeError`, `StoreError`, `CancellationError`
    func open(at place: String?, wait: Duration) async throws -> Session {
        let addresses = if let place { try await fixed(place) } else { try await look(for: wait) }
        if let first = addresses.first { events(.found(address: "\(first)")) }
        do {
            return try await Connector(identity: environment.local, timing: environment.timing).connect(
                to: addresses, opening: .code(code, purpose)
            ) { _ in
                // The code proves the device, under any name.
            }
        } catch {
            throw NodeError.ofSession(error.telling(place))
        }
    }

    private func fixed(_ place: String) async throws -> [NetworkAddress] {
        guard case .address(let fixed) = Target(place) else {
            throw NodeError(.badInput, "“\(DisplayText(place))” is no host:port.")
        }
        do {
            return try await fixed.addresses()
        } catch let error as FixedAddressError {
            throw NodeError(.unreachable, "\(error)", fault: error.fault(place))
        }
    }

    private enum News: Sendable {
        case event(DiscoveryEvent)
        case rivalsHadTheirChance
        case timeIsUp
    }

    private func look(for wait: Duration) async throws -> [NetworkAddress] {
        guard !environment.presence.isOff else {
            throw NodeError(
                .unreachable, "Discovery is off; give the address of the device where the code was made.",
                advice: .giveAddress, fault: .init(.discoveryOff))
        }
        do {
            return try await environment.presence.withDiscovery { try await look(with: $0, for: wait) }
        } catch let error as DiscoveryError {
            throw NodeError(
                .unreachable, "The device where the code was made cannot be looked for: \(error)",
                fault: .init(.discoveryFailed))
        }
    }

    private func look(with discovery: any Discovery, for wait: Duration) async throws -> [NetworkAddress] {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            let (news, feed) = AsyncStream.makeStream(of: News.self)
            tasks.addTask {
                for await event in discovery.browse() { feed.yield(.event(event)) }
            }
            tasks.addTask {
                try await environment.runtime.sleep(for: wait)
                feed.yield(.timeIsUp)
            }
            var waiting = WaitingDevices(number: code.number, purpose: WaitingPurpose(purpose))
            var hasSeenOne = false
            for await item in news {
                switch item {
                case .event(let event):
                    waiting.apply(event)
                    guard !waiting.devices.isEmpty, !hasSeenOne else { continue }
                    hasSeenOne = true
                    tasks.addTask {
                        try await environment.runtime.sleep(for: Self.rivalWait)
                        feed.yield(.rivalsHadTheirChance)
                    }
                case .rivalsHadTheirChance:
                    hasSeenOne = false
                    if waiting.devices.count > 1 { throw ambiguity(waiting.devices.count) }
                    if let only = waiting.devices.first { return only.addresses }
                case .timeIsUp:
                    throw absence(wait, among: waiting)
                }
            }
            throw CancellationError()
        }
    }

    private func ambiguity(_ count: Int) -> NodeError {
        NodeError(
            .unreachable,
            "\(count) devices wait with a code that begins with \(code.number). Nothing was tried, so your code is still good, but "
                + "the number tells nothing: make a code with another one, or give the address of the device where it was made.",
            advice: .giveAddress, fault: .init(.nameAmbiguous))
    }

    private func absence(_ wait: Duration, among waiting: WaitingDevices) -> NodeError {
        let offLink = waiting.offLinkAddresses
        let (cause, advice): (String, Advice) =
            if !offLink.isEmpty {
                (DiscoveryRemark.offLink(offLink), .giveAddress)
            } else if let crowd = waiting.crowd {
                (DiscoveryRemark.crowd(crowd), .giveAddress)
            } else if let trouble = waiting.trouble {
                (trouble, .giveAddress)
            } else {
                (
                    "Does it still wait there, and is it on the same network?",
                    purpose == .pairing ? .startPairing : .startInvitation
                )
            }
        return NodeError(
            .unreachable,
            "No device waits with a code that begins with \(code.number); it was looked for during \(wait.components.seconds) s. "
                + "\(cause) The code has not been used.", advice: advice,
            fault: .init(waiting.trouble == nil ? .nobodyAnswered : .discoveryFailed))
    }
}

extension Error {
    /// Copy of the error that names the given address in place of a peer's name.
    fileprivate func telling(_ place: String?) -> any Error {
        guard let place, case TransportError.unreachable(_, var fault?) = self as any Error else { return self }
        fault.peer = place
        return TransportError.unreachable(fault)
    }
}
