import Foundation
import NodeTestSupport
import PortolanCrypto
import PortolanDiscovery
import PortolanTransport
import Synchronization

@testable import Portolan

/// An mDNS link without mDNS: nodes that join it see each other's records, with loopback addresses.
final class SimulatedLink: Sendable {
    struct Unfit: Error {}

    private struct State {
        var records: [ServiceRecord] = []
        /// Advertiser of each record; nil for planted records.
        var owners: [ServiceRecord.ID: Int] = [:]
        var browsers: [Int: AsyncStream<DiscoveryEvent>.Continuation] = [:]
        /// Records that are advertised, but not delivered to any node yet.
        var held: [ServiceRecord] = []
        var isHolding = false
        var next = 0
    }

    private let state = Mutex(State())
    /// True if records tell the activities of their instances.
    private let saysActivities: Bool

    init(saysActivities: Bool = true) { self.saysActivities = saysActivities }

    /// A node on the link.
    ///
    /// - Parameters:
    ///   - address: where its records say it is.
    ///   - leavesRecords: whether records stay on the link when they are withdrawn.
    ///   - onBrowse: called each time the node begins to browse, with the number of times so far.
    func node(
        _ name: String, home: URL, at address: String = "127.0.0.1", leavesRecords: Bool = false,
        findWait: Duration = .seconds(300), runtime: Runtime = .system,
        onBrowse: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> Node {
        guard let ip = IPAddress(parsing: address) else { throw Unfit() }
        var configuration = try Node.Configuration.onLoopback(name, home: home)
        configuration.findWait = findWait
        configuration.runtime = runtime
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let browsings = Mutex(0)
        let start: @Sendable () async throws -> any Discovery = {
            End(link: self, number: number, ip: ip, leavesRecords: leavesRecords) {
                onBrowse(
                    browsings.withLock { count in
                        count += 1
                        return count
                    })
            }
        }
        return try Node(blocking: configuration, discovery: start)
    }

    /// A record that no node of the link advertises.
    func plant(_ name: String, _ fingerprint: Fingerprint, port: UInt16, at address: String = "127.0.0.1") throws {
        guard let ip = IPAddress(parsing: address) else { throw Unfit() }
        let advertisement = try Advertisement.open(
            name: name, fingerprint: fingerprint, port: port, activities: .any)
        put(record(of: advertisement, named: name, at: ip), of: nil)
    }

    /// From now on, advertised records are not delivered to any node.
    func hold() { state.withLock { $0.isHolding = true } }

    /// Delivers the held records to all browsers.
    func release() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for record in held { tell(record) }
    }

    /// Waits until an instance of that name advertises those activities.
    func hear(_ name: String, _ activities: String) async {
        for await event in End(link: self, number: 999, ip: .v4(0), leavesRecords: false, onBrowse: {}).browse() {
            guard case .found(let record) = event, record.instanceName == name else { continue }
            if record.txt["does"] == Array(activities.utf8) { return }
        }
    }

    private func record(of advertisement: Advertisement, named name: String, at ip: IPAddress) -> ServiceRecord {
        let txt = Dictionary(uniqueKeysWithValues: advertisement.txt).filter { saysActivities || $0.key != "does" }
        return ServiceRecord(
            id: ServiceRecord.ID(instanceName: name, interface: 1, family: .v4), hostName: "host.local",
            address: NetworkAddress(
                ip: ip, port: advertisement.port, interface: NetworkInterface(index: 1, name: "lo")), txt: txt,
            isOwn: false, isOnLink: true)
    }

    private func put(_ record: ServiceRecord, of owner: Int?) {
        let isHeard = state.withLock { state in
            state.owners[record.id] = owner
            guard !state.isHolding else {
                state.held.append(record)
                return false
            }
            return true
        }
        if isHeard { tell(record) }
    }

    private func tell(_ record: ServiceRecord) {
        state.withLock { state in
            if let index = state.records.firstIndex(where: { $0.id == record.id }) {
                state.records[index] = record
            } else {
                state.records.append(record)
            }
            for (number, browser) in state.browsers { browser.yield(.found(record.heard(by: number, state.owners))) }
        }
    }

    private func remove(_ id: ServiceRecord.ID) {
        state.withLock { state in
            state.records.removeAll { $0.id == id }
            for browser in state.browsers.values { browser.yield(.lost(id)) }
        }
    }

    /// Returns a free name, numbered as by mDNS.
    private func free(_ name: String) -> String {
        state.withLock { state in
            let taken = Set((state.records + state.held).map(\.instanceName))
            return ([name] + (2...9).map { "\(name) #\($0)" }).first { !taken.contains($0) } ?? name
        }
    }

    private struct End: Discovery {
        let link: SimulatedLink
        let number: Int
        let ip: IPAddress
        let leavesRecords: Bool
        let onBrowse: @Sendable () -> Void

        var backend: DiscoveryBackend { .embedded }

        func browse() -> AsyncStream<DiscoveryEvent> {
            let (events, feed) = AsyncStream.makeStream(of: DiscoveryEvent.self)
            link.state.withLock { state in
                for record in state.records { feed.yield(.found(record.heard(by: number, state.owners))) }
                feed.yield(.settled)
                state.next += 1
                let browser = state.next * 1000 + number
                state.browsers[browser] = feed
                // The task that ends the stream holds a lock for which a record under way may wait.
                feed.onTermination = { [link] _ in
                    Task { link.state.withLock { _ = $0.browsers.removeValue(forKey: browser) } }
                }
            }
            onBrowse()
            return events
        }

        func seek(_ instance: String) -> AsyncStream<DiscoveryEvent> { AsyncStream { $0.finish() } }

        func advertise(_ advertisement: Advertisement) async throws(DiscoveryError) -> AdvertisementHandle {
            let name = link.free(advertisement.name)
            let record = link.record(of: advertisement, named: name, at: ip)
            link.put(record, of: number)
            let (names, feed) = AsyncStream.makeStream(of: String.self)
            feed.yield(name)
            return AdvertisementHandle(names: names) { [self] in
                link.put(link.record(of: $0, named: name, at: ip), of: number)
            } withdraw: { [self] in
                feed.finish()
                if !leavesRecords { link.remove(record.id) }
            }
        }

        func shutdown() async {}
    }
}

extension ServiceRecord {
    /// - Parameter browser: number of the browser; its last three digits are the node's number.
    fileprivate func heard(by browser: Int, _ owners: [ServiceRecord.ID: Int]) -> ServiceRecord {
        ServiceRecord(
            id: id, hostName: hostName, address: address, txt: txt, isOwn: owners[id] == browser % 1000,
            isOnLink: isOnLink)
    }
}
