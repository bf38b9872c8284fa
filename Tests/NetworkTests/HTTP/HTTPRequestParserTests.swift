import Testing

@testable import Network

@Suite("Request parser")
struct HTTPRequestParserTests {
    @Test("accepts what is a request", arguments: HTTPRequestCase.accepted)
    func accepts(_ row: HTTPRequestCase) {
        #expect(HTTPRequestCase.outcome(of: [row.bytes[...]]) == row.expected)
    }

    @Test("refuses what is none, or could be read in two ways", arguments: HTTPRequestCase.refused)
    func refuses(_ row: HTTPRequestCase) {
        #expect(HTTPRequestCase.outcome(of: [row.bytes[...]]) == row.expected)
    }

    @Test("says the same byte by byte", arguments: HTTPRequestCase.accepted + HTTPRequestCase.refused)
    func isTheSameByteByByte(_ row: HTTPRequestCase) {
        let pieces = row.bytes.indices.map { row.bytes[$0...$0] }
        // A chunk that comes in pieces is one body all the same.
        #expect(HTTPRequestCase.outcome(of: pieces) == row.expected)
    }

    @Test("says the same split at every place", arguments: HTTPRequestCase.accepted + HTTPRequestCase.refused)
    func isTheSameSplitAnywhere(_ row: HTTPRequestCase) {
        for place in row.bytes.indices {
            let outcome = HTTPRequestCase.outcome(of: [row.bytes[..<place], row.bytes[place...]])
            #expect(outcome == row.expected, "split at \(place)")
        }
    }

    @Test("stays failed after a failure")
    func staysFailed() {
        var parser = HTTPRequestParser(limits: .init())
        for text in ["GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"] {
            Array(text.utf8).withUnsafeBytes { bytes in
                var rest = bytes
                guard case .failure(let error) = parser.next(&rest) else {
                    Issue.record("expected a failure")
                    return
                }
                #expect(error.status == .versionNotSupported)
            }
        }
    }
}
