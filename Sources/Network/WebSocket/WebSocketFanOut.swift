import Glibc

/// Messages for many clients of one loop; what each begins with is the client's own.
///
/// Hot path: the frames are put together once. For the next client, whose beginning is as long, only that is written over
/// them.
package struct WebSocketFanOut {
    private let payloads: [WebSocketFanOutPayload]
    /// The frames for the client that was asked about last.
    private(set) var frames: [UInt8] = []
    private var headPlaces: [Int] = []
    private var headBytes = 0
    private var encoder: WebSocketEncoder?

    package init(_ payloads: [WebSocketFanOutPayload]) {
        self.payloads = payloads
    }

    /// Makes `frames` those of a client.
    mutating func address(_ head: [UInt8], _ encoder: WebSocketEncoder, with pool: inout CompressionPool) {
        if encoder == self.encoder, head.count == headBytes {
            overwrite(head)
        } else {
            compose(head, encoder, with: &pool)
        }
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
