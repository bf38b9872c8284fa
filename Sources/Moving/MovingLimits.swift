/// The limits of the room.
package enum MovingLimits {
    /// The longest line, and the longest element of a list: an item has at most 400 KB, and each byte of it may be written as six.
    package static let elementBytesMax = 8 << 20
    /// The longest value of a page beside its list.
    package static let memberBytesMax = 64 << 10
    /// The longest manifest of one line, checksum or map of a few names.
    package static let noteBytesMax = 1 << 20
    /// Bytes that are read from a file at a time.
    package static let pieceBytes = 256 << 10
    /// How many bytes a byte of a gzip may become. DEFLATE itself makes at most 1,032.
    package static let inflationMax = 500
    /// Below this many bytes a gzip may become so many anyway.
    package static let inflatedBytesMin = 1 << 20
    /// Folders within folders.
    package static let folderDepthMax = 32
    /// Files and folders in a folder that is given, all together.
    package static let folderEntriesMax = 2_000_000
    /// Data files of one export; the service writes fewer.
    package static let dataFilesMax = 100_000
    /// Lists and structs within each other in an Ion text.
    package static let ionNestingMax = 64
    /// The longest name of a file that messages show.
    package static let shownBytesMax = 300
}
