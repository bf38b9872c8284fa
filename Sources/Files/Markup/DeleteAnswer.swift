/// What became of each key of a request to delete many. amplify-js reads it with regular expressions: only the outermost
/// element has an attribute.
package struct DeleteAnswer: Sendable {
    package var isQuiet: Bool
    package var keys: [Key] = []

    package struct Key: Sendable {
        package let key: String
        /// The version that was asked for, where one was.
        package let version: String?
        /// Why it was not deleted, where it was not.
        package var error: FileError?

        package init(key: String, version: String? = nil, error: FileError? = nil) {
            self.key = key
            self.version = version
            self.error = error
        }
    }

    package init(isQuiet: Bool = false) { self.isQuiet = isQuiet }

    package var markup: [UInt8] {
        MarkupWriter.document("DeleteResult") { writer in
            for key in keys {
                if let error = key.error {
                    writer.element("Error") { writer in
                        writer.element("Key", key.key)
                        writer.element("VersionId", ifAny: key.version)
                        writer.element("Code", error.code)
                        writer.element("Message", error.message)
                    }
                } else if !isQuiet {
                    writer.element("Deleted") { writer in
                        writer.element("Key", key.key)
                        writer.element("VersionId", ifAny: key.version)
                    }
                }
            }
        }
    }
}
