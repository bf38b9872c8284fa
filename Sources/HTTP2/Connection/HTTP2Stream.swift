/// A stream that is open, as far as the protocol goes.
struct HTTP2Stream {
    let identifier: UInt32
    /// The bytes that the client takes. Its settings can make them fewer than none.
    var sendWindow: Int
    /// The bytes that it may send.
    var receiveWindow: Int
    /// The bytes that it has sent and that are not given back to its window yet.
    var takenBytes = 0
    /// The bytes of the body that have to come; nil where the request says nothing.
    var bytesToCome: Int?
    /// True if the client has ended its side.
    var isRemoteEnded: Bool
    /// True if the answer is complete.
    var isLocalEnded = false
}

/// The streams of a connection: those that are open, and how the last ones were closed.
///
/// Clients open streams in ascending order, so each is found by halving.
struct HTTP2StreamTable {
    private(set) var open: [HTTP2Stream] = []
    /// The highest stream that the client has opened.
    private(set) var last: UInt32 = 0
    /// The streams that were closed last, with a mark for those that this side has reset.
    private var closed: [UInt32] = []
    private var nextClosed = 0

    private static let resetMark: UInt32 = 0x8000_0000

    enum State: Equatable {
        case idle
        case open(Int)
        /// Closed by both sides, or by the client.
        case closed
        /// Reset by this side: the client may not know yet.
        case resetByUs
        /// Closed long ago, or never opened.
        case forgotten
    }

    func state(of identifier: UInt32) -> State {
        if let place = place(of: identifier) { return .open(place) }
        // A client opens odd ones.
        if identifier > last || identifier & 1 == 0 { return .idle }
        for entry in closed where entry & ~Self.resetMark == identifier {
            return entry & Self.resetMark == 0 ? .closed : .resetByUs
        }
        return .forgotten
    }

    func place(of identifier: UInt32) -> Int? {
        var (low, high) = (0, open.count)
        while low < high {
            let middle = (low + high) / 2
            if open[middle].identifier == identifier { return middle }
            if open[middle].identifier < identifier { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    subscript(place: Int) -> HTTP2Stream {
        get { open[place] }
        set { open[place] = newValue }
    }

    /// Notes that the client has used that identifier, and with it all lower ones.
    mutating func use(_ identifier: UInt32) { last = max(last, identifier) }

    mutating func append(_ stream: HTTP2Stream) {
        use(stream.identifier)
        open.append(stream)
    }

    mutating func close(_ place: Int, isResetByUs: Bool) {
        remember(open.remove(at: place).identifier, isResetByUs: isResetByUs)
        // An idle connection keeps no memory for streams.
        if open.isEmpty { open = [] }
    }

    mutating func remember(_ identifier: UInt32, isResetByUs: Bool) {
        let entry = isResetByUs ? identifier | Self.resetMark : identifier
        if closed.count < HTTP2Limits.rememberedStreams {
            closed.append(entry)
        } else {
            closed[nextClosed] = entry
            nextClosed = (nextClosed + 1) % HTTP2Limits.rememberedStreams
        }
    }

    /// Changes the windows of all streams. False if one becomes too large.
    mutating func moveSendWindows(by delta: Int) -> Bool {
        for place in open.indices {
            open[place].sendWindow += delta
            if open[place].sendWindow > HTTP2Settings.windowMax { return false }
        }
        return true
    }
}
