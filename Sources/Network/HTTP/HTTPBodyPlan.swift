/// How an answer's body will be sent, given what was asked: a HEAD request and some statuses have none.
struct HTTPBodyPlan {
    private(set) var framing: HTTPResponseWriter.Framing
    private(set) var bytes: [UInt8] = []
    private(set) var file: HTTPFileBody?
    private(set) var streamed: HTTPResponseWriter.Framing?
    private(set) var endsWithConnection = false

    init(_ response: HTTPResponse, head: HTTPRequestHead?) {
        let isHeadOnly = head?.method == .head
        switch response.body {
        case .empty:
            framing = .length(0)
        case .absent(let length):
            framing = .length(isHeadOnly ? length : 0)
        case .bytes(let bytes, _):
            framing = .length(bytes.count)
            if !isHeadOnly { self.bytes = bytes }
        case .file(let file):
            framing = .length(file.count)
            if !isHeadOnly { self.file = file }
        case .stream(let length, _):
            if let length {
                framing = .length(length)
            } else if head?.minorVersion == 0 {
                framing = .untilClose
                endsWithConnection = true
            } else {
                framing = .chunked
            }
            streamed = isHeadOnly ? HTTPResponseWriter.Framing.none : framing
        }
        if response.status.isBodiless {
            framing = .none
            bytes = []
            file = nil
            if streamed != nil { streamed = HTTPResponseWriter.Framing.none }
        }
    }
}
