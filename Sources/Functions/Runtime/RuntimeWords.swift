import Crypto
import JSON
import Network

/// The body that a runtime posts: kept up to a limit, and counted beyond.
struct RuntimeWords {
    var body: [UInt8] = []
    var count = 0
    var trailer = HTTPTrailer()

    /// Nil where it broke off.
    static func read(_ request: HTTPRequest, bytesMax: Int) async -> RuntimeWords? {
        var words = RuntimeWords()
        switch request.body {
        case .bytes(let bytes):
            words.take(bytes, bytesMax)
        case .stream(let stream):
            do throws(HTTPBodyError) {
                while let piece = try await stream.next() { words.take(piece, bytesMax) }
            } catch {
                return nil
            }
            words.trailer = stream.trailer
        }
        return words
    }

    private mutating func take(_ piece: [UInt8], _ bytesMax: Int) {
        count += piece.count
        if count <= bytesMax { body += piece } else { body = [] }
    }

    /// The error that stands behind a result that has failed halfway.
    var errorBehind: [UInt8]? {
        guard let type = trailer["lambda-runtime-function-error-type"], !type.isEmpty else { return nil }
        let told = trailer["lambda-runtime-function-error-body"].flatMap { Base64.bytes(of: $0.utf8, .standard) }
        return FunctionFailure.posted(told ?? [], type: type)
    }
}
