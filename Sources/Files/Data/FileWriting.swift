import Store

/// A change of what is known of files, within one transaction. What it throws undoes it.
struct FileWriting {
    let session: WriteSession
    /// In milliseconds since 1970.
    let now: Int64
    /// Those that are told of what happens here.
    var functions = FileFunctions()
    /// The node whose files these are; nil: there is one server.
    var node: Int64?

    @discardableResult
    func change(_ statement: RoomStatement, _ values: [StoredValue] = []) throws(FileError) -> Int {
        do throws(StoreError) { return try session.change(statement, values) } catch { throw FileError(error) }
    }

    // MARK: Objects

    /// Puts an object in the place of another, where the condition holds for that one. Answers the file that nobody has any more.
    func put(
        _ object: StoredObject, _ bucket: String, _ key: String, by name: FileEvent.Name = .put,
        if condition: (StoredObject?) throws(FileError) -> Void
    ) throws(FileError) -> FileNumber? {
        try demandRun(of: object.file)
        let old = try session.object(bucket, key)
        try condition(old)
        try change(
            ObjectRow.insertion,
            [
                .text(bucket), .text(key), .integer(object.file.raw), .integer(object.size), .text(object.tag),
                .integer(object.modified), .text(object.content.stored),
                object.checksum.map { .text($0.stored) } ?? .null, .integer(Int64(bitPattern: object.sum)),
            ])
        try note(name, bucket, key, size: object.size, tag: object.tag)
        return try old.map { (old) throws(FileError) in try leave(old) }
    }

    /// Refuses a new file whose run was taken away from this node: it may have been removed for one that no record speaks of.
    func demandRun(of file: FileNumber) throws(FileError) {
        guard let node else { return }
        if try session.owner(ofRun: file.run) == node { return }
        // A part that another node has got is kept by its record.
        guard try session.speaks(of: file) else { throw .lostRun }
    }

    /// Removes an object. Answers its file; nil where there is no such object.
    func remove(_ bucket: String, _ key: String) throws(FileError) -> FileNumber? {
        guard let old = try session.object(bucket, key) else { return nil }
        try change(ObjectRow.deletion, [.text(bucket), .text(key)])
        try note(.deleted, bucket, key)
        return try leave(old)
    }

    private func leave(_ object: StoredObject) throws(FileError) -> FileNumber {
        if object.partCount != nil { try forgetParts(of: object.file) }
        return try leave(object.file)
    }

    /// Changes what is said of an object, its bytes staying.
    func setContent(_ content: ObjectContent, _ bucket: String, _ key: String) throws(FileError) {
        try change(ObjectRow.contentUpdate, [.text(content.stored), .text(bucket), .text(key)])
    }

    /// Notes a file that has to go, before it goes: what a crash leaves of it is found by this.
    @discardableResult
    func leave(_ file: FileNumber) throws(FileError) -> FileNumber {
        try change(ObjectRow.leftoverInsertion, [.integer(file.raw)])
        return file
    }

    /// Notes that files are gone.
    func forget(_ files: [FileNumber]) throws(FileError) {
        for file in files { try change(ObjectRow.leftoverDeletion, [.integer(file.raw)]) }
    }
}
