import JSON

/// Why an export or an import ended early, in words for the person who started it.
package enum TransferError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file or stream cannot be read.
    case unreadable(String)
    /// The file or stream cannot be written.
    case unwritable(String)
    /// A line is not a record of the schema.
    case line(Int, file: String, String)
    case store(StoreError)

    package var description: String {
        switch self {
        case .unreadable(let message), .unwritable(let message): message
        case .line(let number, let file, let message): "\(file):\(number): \(message)"
        case .store(let error): error.message
        }
    }
}
