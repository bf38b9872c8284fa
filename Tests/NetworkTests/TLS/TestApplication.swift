import Glibc
import Network
import TestSupport

/// What the server of the tests serves.
///
///     /echo       the body, and how it came in the field "x-seen"
///     /large      a million bytes, streamed in chunks
///     /file       the file whose path is the body
///     /sized/N    N bytes
///     /slowly     how many bytes the body has, read with a rest before each piece
///     all others  404
struct TestApplication: HTTPApplication {
    static let large: [UInt8] = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        switch head.path {
        case "/echo":
            return .collect(bodyMax: 4 << 20) { request in
                guard case .bytes(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
                let seen = "\(head.method.rawValue) \(request.isSecure ? "https" : "http") \(head.fields["host"] ?? "")"
                return HTTPResponse(
                    fields: HTTPFieldLines(["x-seen": seen, "content-type": "text/plain"]),
                    body: .bytes(body, isCompressible: false))
            }
        case "/large":
            return .collect(bodyMax: 0) { _ in
                HTTPResponse(
                    body: .stream(length: nil) { writer in
                        for start in stride(from: 0, to: Self.large.count, by: 50_000) {
                            try await writer.write(Array(Self.large[start..<start + 50_000]))
                        }
                    })
            }
        case "/file":
            return .collect(bodyMax: 1024) { request in
                guard case .bytes(let path) = request.body else { return HTTPResponse(status: .internalServerError) }
                let descriptor = FileDescriptor(owning: open(String(decoding: path, as: UTF8.self), O_RDONLY))
                var status = stat()
                fstat(descriptor.raw, &status)
                return HTTPResponse(body: .file(HTTPFileBody(descriptor, offset: 0, count: Int(status.st_size))))
            }
        case "/slowly":
            return .stream(bodyMax: 4 << 20) { request in
                guard case .stream(let body) = request.body else { return HTTPResponse(status: .internalServerError) }
                var count = 0
                do {
                    let reason: StaticString = "the application is slower than its client"
                    try await pause(.milliseconds(15), because: reason)
                    while let piece = try await body.next() {
                        count += piece.count
                        try await pause(.milliseconds(15), because: reason)
                    }
                } catch { return HTTPResponse(status: .badRequest) }
                return HTTPResponse(body: .bytes(Array(String(count).utf8), isCompressible: false))
            }
        case let path where path.hasPrefix("/sized/"):
            let count = Int(path.dropFirst("/sized/".count)) ?? 0
            return .answer(HTTPResponse(body: .bytes(Array(repeating: 0x78, count: count), isCompressible: false)))
        default:
            return .answer(HTTPResponse(status: .notFound))
        }
    }
}
