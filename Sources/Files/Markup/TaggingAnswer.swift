/// An object's tags, as GetObjectTagging answers them.
package struct TaggingAnswer: Sendable {
    package let tags: [FileTag]

    package init(tags: [FileTag]) { self.tags = tags }

    package var markup: [UInt8] {
        MarkupWriter.document("Tagging") { writer in
            writer.element("TagSet") { writer in
                for tag in tags {
                    writer.element("Tag") { writer in
                        writer.element("Key", tag.key)
                        writer.element("Value", tag.value)
                    }
                }
            }
        }
    }
}
