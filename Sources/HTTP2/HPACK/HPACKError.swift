/// Why a header block cannot be decoded. Each is a COMPRESSION_ERROR, since the tables of both sides may differ from there on, but for a
/// block that is too large.
package enum HPACKError: Error, Equatable, Sendable {
    /// The block ends inside of a field.
    case truncated
    /// A number has more bits than any that can be meant.
    case numberTooLarge
    /// An index beyond both tables, or 0.
    case unknownIndex
    /// A text is not in the Huffman code, or has a bad end.
    case badHuffmanCode
    /// The table would become larger than was agreed, or changes behind a field.
    case badTableSize
    /// The fields take too many times their limit.
    case tooLarge
}
