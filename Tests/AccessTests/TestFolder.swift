import Glibc

/// A folder that a test fills and removes.
struct TestFolder {
    let path: String

    init() {
        var template = Array("/tmp/access-tests-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    func write(_ name: String, _ bytes: [UInt8]) {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    /// Removes it with the files that tests make.
    func remove() {
        for name in ["jwks.json", "issuer-key.pem"] { unlink("\(path)/\(name)") }
        rmdir("\(path)/sub")
        rmdir(path)
    }
}
