import PortolanCrypto
import PortolanDiscovery
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import UniformTypeIdentifiers

extension Node {
    /// Makes this device visible and receives into a folder until the task is cancelled.
    ///
    /// - Parameters:
    ///   - inbox: the folder in which items land; made if it is not there.
    ///   - types: what can be imported; a representation is taken if it is a kind of one of them. nil means everything.
    ///   - decide: asked for each offer of which something can be imported. Called for several peers at once; cancelled when the
    ///     sender goes away.
    ///   - events: told what happens, from any thread; to be quick.
    /// - Throws: `NodeError` when the folder or the port cannot be used.
    public func receive(
        into inbox: String, accepting types: [UTType]? = nil,
        decide: @escaping @Sendable (IncomingOffer) async -> Decision,
        events: @escaping @Sendable (ReceiveEvent) -> Void
    ) async throws {
        let folder: Inbox
        do {
            folder = try await withBlockingThread {
                let folder = try Inbox(path: inbox, createIfMissing: true)
                // What a killed receiver left behind an hour ago or more is nobody's any longer.
                _ = try folder.removeAbandonedPartials(olderThan: .seconds(3600))
                return folder
            }
        } catch {
            throw NodeError(.cannotCreate, "\(error)")
        }
        try await receive(events: events) { session, peer in
            InboxReceiver(
                peer: peer, inbox: folder, accepting: types, deciding: Deciding(ask: decide, events: events),
                onStored: { self.remember(session.peer) })
        }
    }

    /// Listens, advertises, and runs every session that comes with a receiver of its own.
    func receive(
        events: @escaping @Sendable (ReceiveEvent) -> Void,
        receiver: @escaping @Sendable (Session, RemotePeer) -> any ItemReceiver
    ) async throws {
        let listener: Listener
        do {
            listener = try await Listener(
                sockets: ListeningSocket.open(port: configuration.port, interfaces: configuration.interfaces),
                identity: local, timing: timing)
        } catch {
            throw NodeError(.cannotCreate, "\(error)")
        }
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await self.advertise(port: listener.port, events: events) }
            for await arrival in listener.arrivals {
                switch arrival {
                case .session(let session):
                    tasks.addTask { await self.serve(session, events: events, receiver: receiver) }
                case .refused(let address, let reason):
                    events(.refused(address: address, reason: reason))
                }
            }
            await listener.close()
            tasks.cancelAll()
        }
        try Task.checkCancellation()
    }

    private func serve(
        _ session: Session, events: @escaping @Sendable (ReceiveEvent) -> Void,
        receiver: @escaping @Sendable (Session, RemotePeer) -> any ItemReceiver
    ) async {
        let verdict: PeerVerdict
        do {
            verdict = try known.verdict(name: session.peer.name, key: session.peer.deviceKey)
        } catch {
            // Who cannot be looked up is not trusted.
            session.close(Message.Close(.internal))
            events(.warning("\(error)"))
            return
        }
        var isKnown = false
        if case .known = verdict { isKnown = true }
        let peer = RemotePeer(
            name: session.peer.name.text, fingerprint: session.peer.fingerprint, address: session.address,
            isKnown: isKnown)
        if case .changed(let before) = verdict {
            session.close(Message.Close(.notTrusted))
            events(
                .refused(
                    address: session.address,
                    reason: "“\(session.peer.name)” had the key \(before) before and now shows \(peer.fingerprint). "
                        + "It may be somebody else; nothing was received. If the device was set up anew: "
                        + "portolan peers --forget \(session.peer.name)"))
            return
        }
        do {
            try await ReceivingRun.run(on: session, receiver: receiver(session, peer))
            events(.finished(peer))
        } catch is CancellationError {
            events(.disconnected(peer, reason: "Receiving was stopped."))
        } catch {
            events(.disconnected(peer, reason: "\(error)"))
        }
    }

    /// Tells the network that this device is here, until the task is cancelled.
    private func advertise(port: UInt16, events: @escaping @Sendable (ReceiveEvent) -> Void) async {
        let name = identity.name.text
        guard let choice = configuration.discovery.choice else {
            events(.listening(port: port, name: name, discovery: configuration.discovery.rawValue))
            return
        }
        do {
            let discovery = try await choice.start(interfaces: configuration.interfaces)
            do {
                let handle = try await discovery.advertise(
                    Advertisement(
                        name: name, port: port,
                        txt: [
                            ("txtvers", [UInt8(ascii: "1")]), ("v", [UInt8(ascii: "1")]),
                            ("id", identity.fingerprint.bytes),
                        ]))
                events(.listening(port: port, name: name, discovery: discovery.backend.rawValue))
                for await published in handle.names where published != name { events(.renamed(published)) }
            } catch {
                events(.warning("Others cannot find this device: \(error)"))
            }
            await discovery.shutdown()
        } catch {
            events(.listening(port: port, name: name, discovery: Configuration.Discovery.off.rawValue))
            events(.warning("Others cannot find this device, and reach it only as host:port: \(error)"))
        }
    }
}
