/// The agreement of client and server on compression (RFC 7692).
///
/// Every message is compressed on its own, in both directions: a compressor that remembers earlier messages would cost each
/// idle connection 300 KiB. The server says so in its answer, and a client has to keep to it.
package struct PerMessageDeflate: Hashable, Sendable {
    /// The window that the client can inflate with, as a power of two.
    package let serverWindowBits: Int
    /// True if the client set that window, and so has to be told that it is kept to.
    private let isWindowNamed: Bool

    static let name = "permessage-deflate"

    /// The end of every flushed DEFLATE stream, which is left out of messages.
    static let tail = UInt32(bigEndian: 0x0000_FFFF)

    /// The first of a client's offers that we can keep, if there is one.
    package static func accepted(from offers: [WebSocketExtensionOffer]) -> PerMessageDeflate? {
        for offer in offers {
            if let agreement = PerMessageDeflate(offer) { return agreement }
        }
        return nil
    }

    /// None when the offer is for something else, names a parameter that does not exist, or gives one a wrong value: such
    /// an offer is declined, and the next one counts.
    private init?(_ offer: WebSocketExtensionOffer) {
        guard offer.name == Self.name else { return nil }
        var seen: Set<String> = []
        var windowBits: Int?
        for parameter in offer.parameters {
            guard seen.insert(parameter.name).inserted else { return nil }
            switch parameter.name {
            case "server_no_context_takeover", "client_no_context_takeover":
                guard parameter.value == nil else { return nil }
            case "server_max_window_bits":
                guard let value = parameter.value, let bits = Self.windowBits(value) else { return nil }
                windowBits = bits
            case "client_max_window_bits":
                if let value = parameter.value, Self.windowBits(value) == nil { return nil }
            default:
                return nil
            }
        }
        let bits = windowBits ?? CompressionLimits.windowBits.upperBound
        guard CompressionLimits.windowBits.contains(bits) else { return nil }
        serverWindowBits = bits
        isWindowNamed = windowBits != nil
    }

    /// 8 to 15, written without leading zeros.
    private static func windowBits(_ value: String) -> Int? {
        guard let bits = Int(value), (8...15).contains(bits), String(bits) == value else { return nil }
        return bits
    }

    /// The server's answer in `Sec-WebSocket-Extensions`.
    package var headerValue: String {
        "\(Self.name); server_no_context_takeover; client_no_context_takeover"
            + (isWindowNamed ? "; server_max_window_bits=\(serverWindowBits)" : "")
    }

    /// Appends the compressed message; false, and nothing appended, when there is no memory for a compressor.
    func deflate(
        _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8], with pool: inout CompressionPool
    ) -> Bool {
        let start = output.count
        do throws(CompressionError) {
            try pool.deflateMessage(bytes, windowBits: serverWindowBits, into: &output)
            return true
        } catch {
            output.removeSubrange(start...)
            return false
        }
    }
}
