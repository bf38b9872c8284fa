import Network

/// The request to cancel what a connection's server is doing. It goes over a connection of its own, with TLS as the first has it.
struct PostgresCancellation: Sendable {
    let place: PostgresPlace
    let process: UInt32
    let secret: UInt32

    /// Sends it, and waits until the server has passed it on, which it says by closing that connection.
    ///
    /// False where that did not come in time: the request may then reach the server later, and end another statement.
    func send(_ settings: PostgresSettings, within milliseconds: Int) -> Bool {
        let deadline = MonotonicTime.now.advanced(byMilliseconds: milliseconds)
        guard var stream = try? place.open(settings, until: deadline) else { return false }
        var request = MessageWriter()
        request.cancelRequest(process: process, secret: secret)
        stream.enqueue(request.bytes)
        // A server that closes with TLS, or with a reset, has closed.
        var answer: UInt8 = 0
        return withUnsafeMutableBytes(of: &answer) { buffer in
            do throws(PostgresStreamError) {
                return try stream.receive(into: buffer, until: deadline) == 0
            } catch {
                if case .deadline = error { return false }
                return true
            }
        }
    }
}
