#if DEBUG
    import Glibc
    import JSON

    /// The page as it lies in a folder, read anew for each request: whoever works on it edits and reloads. Builds for use have
    /// nothing of this.
    struct PageFolder: Sendable {
        static let variable = "HOMEPORT_CONSOLE_PAGE"
        private static let bytesMax = 4 << 20

        let path: String

        /// The bytes of a file; nil where there is none of that name within the folder.
        func bytes(of name: String) -> [UInt8]? {
            guard name.parts(separatedBy: "/").allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else { return nil }
            guard let file = fopen("\(path)/\(name)", "r") else { return nil }
            defer { fclose(file) }
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = fread(&piece, 1, piece.count, file)
                guard count > 0 else { return bytes }
                bytes += piece[..<count]
                guard bytes.count <= Self.bytesMax else { return nil }
            }
        }
    }
#endif
