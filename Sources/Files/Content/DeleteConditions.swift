import JSON
import Network

/// What a delete demands of the object that it removes, beside the conditions of HTTP. Where there is no object all of it is met: the end is
/// reached that was asked for. `If-Match` of a single delete alone demands that there is one.
package struct DeleteConditions: Sendable {
    /// The entity tag, without quotes, or `*` for any.
    package var tag: String?
    /// The second at which it was made.
    package private(set) var modified: Int64?
    package private(set) var size: Int64?

    package init() {}

    /// Those of the head of a request.
    init(_ fields: HTTPFields) throws(FileError) {
        if let text = fields["x-amz-if-match-last-modified-time"] { try set(modified: text) }
        if let text = fields["x-amz-if-match-size"] { try set(size: text) }
    }

    /// A condition that is not understood must not be left out: the object would be deleted without it.
    mutating func set(modified text: String) throws(FileError) {
        guard let seconds = HTTPDate.seconds(of: text, now: 0) ?? Timestamp(text)?.seconds else {
            throw .invalidArgument("The time at which the object was modified is no date: \(text)")
        }
        modified = seconds
    }

    mutating func set(size text: String) throws(FileError) {
        guard let number = text.plainNumber else {
            throw .invalidArgument("The size of the object is no number of bytes: \(text)")
        }
        size = number
    }

    func check(_ object: StoredObject) throws(FileError) {
        if let tag, tag != "*", ByteText(tag) != ByteText(object.tag) { throw .preconditionFailed }
        if let modified, modified != object.modifiedSeconds { throw .preconditionFailed }
        if let size, size != object.size { throw .preconditionFailed }
    }
}
