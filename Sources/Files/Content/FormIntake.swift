import Network

/// Takes in a form: its fields first, and then the file, hashed, written, compared with what the form says of it.
///
/// Pieces of the file are worked on beside the loop, one at a time, as those of any body are.
final class FormIntake: @unchecked Sendable {
    // Safe to share: the upload waits for each piece of work before it begins the next.
    private let form: FormBody
    /// What of the file came in one piece with the fields.
    private var front: [UInt8] = []
    private var hasAll = false
    private var file: IncomingFile?
    private var digests = ContentDigests()

    init(contentType: String) throws(FileError) {
        form = try FormBody(contentType: contentType)
    }

    /// The fields, which come before the file.
    func fields(from source: BodySource) async throws(FileError) -> FormFields {
        while true {
            let gathered = try await source.next()
            for piece in gathered.pieces { try form.read(piece) { front.append(contentsOf: $0) } }
            hasAll = gathered.isLast
            if hasAll { try form.finish() }
            if let fields = form.fields { return fields }
        }
    }

    /// The file, on the disk and under its name.
    func receive(
        from source: BodySource, _ posted: PostedForm, in folder: FileFolder
    ) async throws(FileError) -> BodyIntake.Received {
        try await folder.work { [self] () throws(FileError) in
            file = try folder.open(expecting: Int64(front.count))
            digests = ContentDigests(posted.kinds)
            try front.withUnsafeBufferPointer { bytes throws(FileError) in
                try keep(UnsafeRawBufferPointer(bytes), posted)
            }
            front = []
        }
        while !hasAll {
            let gathered = try await source.next()
            hasAll = gathered.isLast
            try await folder.work { [self] () throws(FileError) in
                for piece in gathered.pieces {
                    try form.read(piece) { bytes throws(FileError) in try keep(bytes, posted) }
                }
            }
        }
        return try await folder.work { [self] () throws(FileError) in try finish(posted) }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer, _ posted: PostedForm) throws(FileError) {
        try posted.check(growing: Int64(digests.byteCount + bytes.count))
        digests.update(bytes)
        try file?.write(bytes)
    }

    private func finish(_ posted: PostedForm) throws(FileError) -> BodyIntake.Received {
        try form.finish()
        guard let file else { throw .internalError }
        let sums = digests.finish()
        try posted.check(sums, digests.byteCount)
        try file.keep()
        return BodyIntake.Received(file: file, size: file.size, sums: sums)
    }
}
