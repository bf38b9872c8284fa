extension String {
    /// The start of a text of somebody else's where it is too long: at most so many bytes, and a sign that there was more.
    package func shortened(to bytesMax: Int, _ more: StaticString = "…") -> String {
        guard utf8.count > bytesMax else { return self }
        return String(decoding: utf8.prefix(bytesMax), as: UTF8.self) + "\(more)"
    }
}
