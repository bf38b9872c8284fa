import Glibc
import Synchronization

/// Asks the system for the addresses of a name, on threads of its own: the system's call blocks.
///
/// A thread starts when there is something to look up and ends when there is nothing left.
package final class NameResolver: Sendable {
    /// The one that clients use when they are given no other: the threads are bounded for the whole process.
    package static let shared = NameResolver()

    /// More than one, so that a name whose servers do not answer holds up the others less.
    private static let threadsMax = 2
    /// Names that wait for a thread. Beyond: the look-up fails at once.
    package static let waitingMax = 256

    /// Answers on one of the resolver's threads.
    package typealias Completion = @Sendable (Result<[SocketAddress], NameResolverError>) -> Void

    private struct Lookup {
        let host: String
        let port: UInt16
        let completion: Completion
    }

    private struct State {
        var waiting: [Lookup] = []
        var threads = 0
    }

    private let state = Mutex(State())
    private let ask: @Sendable (String, UInt16) -> Result<[SocketAddress], NameResolverError>

    /// A resolver that asks the system, or what it is given.
    package init(
        asking ask: @escaping @Sendable (String, UInt16) -> Result<[SocketAddress], NameResolverError> = askSystem
    ) {
        self.ask = ask
    }

    package func lookUp(_ host: String, port: UInt16, _ completion: @escaping Completion) {
        enum Outcome { case refused, queued, needsThread }
        let outcome = state.withLock { state -> Outcome in
            guard state.waiting.count < Self.waitingMax else { return .refused }
            state.waiting.append(Lookup(host: host, port: port, completion: completion))
            guard state.threads < Self.threadsMax else { return .queued }
            state.threads += 1
            return .needsThread
        }
        switch outcome {
        case .queued: break
        case .refused: completion(.failure(.tooManyWaiting(limit: Self.waitingMax)))
        case .needsThread:
            guard !startThread() else { return }
            // Another thread takes the look-up, if there is one.
            let left = state.withLock { state -> [Lookup] in
                state.threads -= 1
                guard state.threads == 0 else { return [] }
                defer { state.waiting = [] }
                return state.waiting
            }
            for lookup in left { lookup.completion(.failure(.noThread)) }
        }
    }

    private func startThread() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let retained = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let outcome = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<NameResolver>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            }, retained.toOpaque())
        if outcome != 0 { retained.release() }
        return outcome == 0
    }

    private func work() {
        while true {
            let next = state.withLock { state -> Lookup? in
                guard !state.waiting.isEmpty else {
                    state.threads -= 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            guard let next else { return }
            next.completion(ask(next.host, next.port))
        }
    }

    /// Asks the system's resolver. Addresses are in its order of preference.
    package static func askSystem(_ host: String, port: UInt16) -> Result<[SocketAddress], NameResolverError> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let outcome = getaddrinfo(host, nil, &hints, &first)
        guard outcome == 0 else { return .failure(.system(String(cString: gai_strerror(outcome)))) }
        defer { freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ai_next
            var storage = sockaddr_storage()
            let length = min(Int(entry.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
            if let address = entry.ai_addr { memcpy(&storage, address, length) }
            guard let address = SocketAddress(system: storage) else { continue }
            let addressed = SocketAddress(host: address.host, port: port)
            if !addresses.contains(addressed) { addresses.append(addressed) }
        }
        return addresses.isEmpty ? .failure(.system("the name has no address")) : .success(addresses)
    }
}

/// Why a name has no addresses.
package enum NameResolverError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system's words.
    case system(String)
    case tooManyWaiting(limit: Int)
    case noThread

    package var description: String {
        switch self {
        case .system(let reason): reason
        case .tooManyWaiting(let limit): "\(limit) names are being looked up already"
        case .noThread: "the system has no thread left to look it up on"
        }
    }
}
