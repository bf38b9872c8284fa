/// A function that is told of some of what happens to objects of a bucket.
package struct FileListener: Sendable {
    /// What stands for it in the database, over restarts.
    package let name: String
    package let url: String
    /// What it is told of, such as `ObjectCreated:*` and `ObjectRemoved:Delete`.
    package let events: [String]
    /// What keys begin and end with that it is told of.
    package var prefix = ""
    package var suffix = ""

    package init(_ name: String, url: String, events: [String], prefix: String = "", suffix: String = "") {
        self.name = name
        self.url = url
        self.events = events
        self.prefix = prefix
        self.suffix = suffix
    }

    func hears(of name: String, _ key: String) -> Bool {
        key.utf8.starts(with: prefix.utf8) && key.utf8.reversed().starts(with: suffix.utf8.reversed())
            && events.contains { event in
                event.utf8.last == UInt8(ascii: "*")
                    ? name.utf8.starts(with: event.utf8.dropLast()) : name.utf8.elementsEqual(event.utf8)
            }
    }
}
