import Functions
import Glibc
import JSON
import Network
import Threads

/// Says in which files of the app's functions an address of AWS is written out: what is called there is the cloud, and not this
/// server, without anybody's noticing.
///
/// It is found out beside the start, and no more is read than a bound.
struct CloudAddressNotices {
    /// The files with a line of each, in the order of their paths.
    private(set) var places: [String] = []
    private var filesLeft: Int
    private var bytesLeft: Int

    static let filesMax = 2_000
    static let bytesMax = 32 << 20
    private static let fileBytesMax = 1 << 20
    private static let depthMax = 12
    private static let namesMax = 10
    private static let endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".py", ".env"]
    private static let passedOver: Set = ["node_modules", "dist", "build", "site-packages", "__pycache__"]

    /// Begins to look.
    static func begin(_ functions: [FunctionSettings], _ log: Log) {
        let handlers = handlers(of: functions)
        guard !handlers.isEmpty else { return }
        _ = WorkAside {
            if let warning = CloudAddressNotices(of: handlers).warning { log.warning(warning) }
        }
    }

    static func handlers(of functions: [FunctionSettings]) -> [HandlerPlace] {
        functions.compactMap { if case .handler(let place) = $0.program { place } else { nil } }
    }

    /// The files in the folders of handlers, and the JSON that they import from anywhere.
    init(of handlers: [HandlerPlace]) {
        self.init(in: Set(handlers.map(\.folder)))
        var seen: Set<ByteText> = []
        for handler in handlers where handler.language == .node {
            for file in ImportedFiles(of: handler.file).data where seen.insert(ByteText(file)).inserted {
                look(at: file)
            }
        }
    }

    init(in folders: Set<String>, filesMax: Int = filesMax, bytesMax: Int = bytesMax) {
        (filesLeft, bytesLeft) = (filesMax, bytesMax)
        for folder in folders.sorted() {
            // What lies in another of them is looked at once.
            guard !folders.contains(where: { $0 != folder && folder.hasPrefix($0 + "/") }) else { continue }
            look(into: folder, depth: 0)
        }
    }

    var warning: String? {
        guard !places.isEmpty else { return nil }
        let more = places.count > Self.namesMax ? " and \(places.count - Self.namesMax) more" : ""
        return "functions have addresses of AWS written out, and call the cloud there: "
            + places.prefix(Self.namesMax).joined(separator: ", ") + more
            + "; take them from variables, which functions.NAME.environment sets"
    }

    private mutating func look(into folder: String, depth: Int) {
        guard depth < Self.depthMax else { return }
        for name in ProjectFile.names(in: folder) {
            let path = "\(folder)/\(name)"
            guard filesLeft > 0, bytesLeft > 0 else { return }
            if Self.endings.contains(where: name.hasSuffix) {
                look(at: path)
            } else if !Self.passedOver.contains(name), Self.isFolder(path) {
                look(into: path, depth: depth + 1)
            }
        }
    }

    private mutating func look(at path: String) {
        guard filesLeft > 0, bytesLeft > 0 else { return }
        filesLeft -= 1
        guard let bytes = try? SmallFile.read(path, bytesMax: Self.fileBytesMax) else { return }
        bytesLeft -= bytes.count
        if let line = Self.line(in: bytes) { places.append("\(Self.shown(path)):\(line)") }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// A path from where the server runs.
    private static func shown(_ path: String) -> String {
        let here = FunctionSetting.absolute(".") + "/"
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }

    // MARK: Addresses

    private static let domains = [Array(".amazonaws.com".utf8), Array(".on.aws".utf8)]
    private static let services = ["execute-api", "lambda-url", "appsync-api", "appsync-realtime-api", "s3"].map {
        Array($0.utf8)
    }
    /// How far before its end a host may begin.
    private static let hostBytesMax = 300

    /// The first line in which such an address stands.
    static func line(in bytes: [UInt8]) -> Int? {
        for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: ".") {
            guard domains.contains(where: { bytes[place...].starts(with: $0) }) else { continue }
            var start = place
            while start > 0, place - start < hostBytesMax, isOfHost(bytes[start - 1]) { start -= 1 }
            let labels = bytes[start..<place].split(separator: UInt8(ascii: "."))
            // In `s3-eu-west-1` the region follows behind a dash.
            let isOne = labels.contains { label in
                services.contains { $0.elementsEqual(label) } || label.starts(with: "s3-".utf8)
            }
            if isOne { return 1 + bytes[..<place].count { $0 == 0x0A } }
        }
        return nil
    }

    /// Of a host, or of what a template puts into one.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "{"),
            UInt8(ascii: "}"):
            true
        default: false
        }
    }
}
