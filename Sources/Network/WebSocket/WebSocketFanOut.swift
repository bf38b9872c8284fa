import Glibc

/// Sends messages to many clients of one loop, one after the other; what they begin with is each client's own.
///
/// Hot path: the frames are put together once. For the next client, whose beginning is as long, only that is written over
/// them, and they go straight to its socket.
package struct WebSocketFanOut {
    /// What became of the messages.
    package enum Outcome {
        case sent
        /// There is something in the way: they have to be sent as usual.
        case closed
        /// The client has not taken all of it. The rest waits with its channel.
        case waits
    }

    private let payloads: [WebSocketFanOutPayload]
    private var frames: [UInt8] = []
    private var headPlaces: [Int] = []
    private var headBytes = 0
    private var encoder: WebSocketEncoder?

    package init(_ payloads: [WebSocketFanOutPayload]) {
        self.payloads = payloads
    }

    package mutating func send(head: [UInt8], on lane: WebSocketLane, of loop: EventLoop) -> Outcome {
        let descriptor = loop.lanes.descriptor(lane.key)
        guard descriptor != OpenLanes.closed else { return .closed }
        if let encoder, encoder == lane.encoder, head.count == headBytes {
            overwrite(head)
        } else {
            compose(head, lane.encoder, with: &loop.compression)
        }
        let count: Int
        switch frames.withUnsafeBytes({ Transport.send($0, to: descriptor) }) {
        case .bytes(let taken): count = taken
        case .wouldBlock: count = 0
        case .failed(let error):
            loop.channel(lane.key)?.close(.failed(error))
            return .sent
        }
        guard count < frames.count else { return .sent }
        loop.channel(lane.key)?.keep(frames[count...])
        return .waits
    }

    private mutating func overwrite(_ head: [UInt8]) {
        head.withUnsafeBytes { head in
            frames.withUnsafeMutableBytes { frames in
                guard let frames = frames.baseAddress, let head = head.baseAddress else { return }
                for place in headPlaces { memcpy(frames + place, head, headBytes) }
            }
        }
    }

    private mutating func compose(
        _ head: [UInt8], _ encoder: WebSocketEncoder, with pool: inout CompressionPool
    ) {
        frames.removeAll(keepingCapacity: true)
        headPlaces.removeAll(keepingCapacity: true)
        headBytes = head.count
        self.encoder = encoder
        head.withUnsafeBytes { head in
            for payload in payloads {
                headPlaces.append(encoder.append(head: head, payload, to: &frames, with: &pool))
            }
        }
    }
}
