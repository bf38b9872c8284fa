import Crypto

/// A receipt: it names a message, and one of the times that it was received.
struct ReceiptHandle: Sendable {
    let queue: Int64
    let number: Int64
    let receipt: Int64

    init(queue: Int64, number: Int64, receipt: Int64) {
        (self.queue, self.number, self.receipt) = (queue, number, receipt)
    }

    init(_ text: String) throws(QueueError) {
        guard text.utf8.count <= Self.bytesMax, let bytes = Base64.bytes(of: text.utf8, .standard) else {
            throw .noReceipt(text)
        }
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
            Int64(String(decoding: $0, as: UTF8.self))
        }
        guard parts.count == 3, let queue = parts[0], let number = parts[1], let receipt = parts[2] else {
            throw .noReceipt(text)
        }
        self.init(queue: queue, number: number, receipt: receipt)
    }

    var text: String { Base64.text(of: Array("\(queue):\(number):\(receipt)".utf8), .standard) }

    private static let bytesMax = 256
}
