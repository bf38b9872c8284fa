/// Names that Node has and that are not here. A program that meets one ends there, whether it calls it, asks for its type or
/// catches errors: it would go another way than in Node.
package enum MissingNames {
    /// Those of the global object, with what to do instead.
    private static let globals: [(names: String, hint: String)] = [
        ("Proxy", "Write the object's properties or getters themselves."),
        ("BigInt BigInt64Array BigUint64Array", "Numbers are exact up to 9007199254740991."),
        ("WeakMap", "Use Map."),
        ("WeakSet", "Use Set."),
        ("WeakRef FinalizationRegistry", "Hold the object itself."),
        ("eval", "Write the code itself."),
        (
            "setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate",
            "There are no timers: promises settle by themselves."
        ),
        (
            "fetch Headers Request Response FormData WebSocket EventSource BroadcastChannel MessageChannel MessagePort MessageEvent",
            "A program has no network."
        ),
        (
            "ArrayBuffer SharedArrayBuffer DataView Atomics Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array",
            "Use a list of numbers."
        ),
        ("Buffer TextEncoder TextDecoder Blob File", "Write the text itself."),
        ("Intl", "Write the text itself."),
        ("escape unescape", "Use encodeURIComponent and decodeURIComponent."),
        (
            "AbortController AbortSignal Event EventTarget CustomEvent DOMException performance PerformanceEntry WebAssembly navigator Iterator Crypto CryptoKey SubtleCrypto ReadableStream WritableStream TransformStream CompressionStream DecompressionStream TextEncoderStream TextDecoderStream",
            "Write the value itself."
        ),
    ]

    /// Those of `process`.
    private static let process =
        "version versions arch pid ppid title release config features execPath execArgv argv0 exitCode stdin stdout stderr report allowedNodeEnvironmentFlags connected channel"
    private static let processFunctions =
        "abort chdir cpuUsage dlopen emit emitWarning exit getActiveResourcesInfo getegid geteuid getgid getgroups getuid hrtime kill memoryUsage nextTick off on once removeListener removeAllListeners addListener listeners listenerCount eventNames resourceUsage setUncaughtExceptionCaptureCallback umask uptime"

    /// Functions of `node:fs`.
    private static let files =
        "access accessSync appendFile appendFileSync chmodSync copyFile copyFileSync cpSync createReadStream createWriteStream exists fstatSync globSync linkSync lstat mkdir mkdirSync mkdtempSync open openSync opendirSync readdir readFile readlinkSync readSync realpath realpathSync rename renameSync rm rmSync rmdirSync stat symlinkSync truncateSync unlink unlinkSync utimesSync watch watchFile writeFile writeFileSync writeSync"

    private static func list(_ names: String) -> [String] {
        names.utf8.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func end(_ name: String, _ hint: String) -> Thrown {
        .ended(.unsupported(message: "\(name) is not defined here, and Node.js has it", hint: hint))
    }

    /// Rows for the global object.
    package static let global: [NativeProperty] = globals.flatMap { names, hint in
        list(names).map { name in .getter(name) { _ throws(Thrown) in throw end(name, hint) } }
    }

    private static let hint = "Write the value itself."

    static let rowsOfProcess: [NativeProperty] =
        list(process).map { name in .getter(name) { _ throws(Thrown) in throw end("process.\(name)", hint) } }
        + list(processFunctions).map { name in
            .method(name, length: 0) { _ throws(Thrown) in throw end("process.\(name)()", hint) }
        }

    static let rowsOfFiles: [NativeProperty] = list(files).map { name in
        .method(name, length: 0) { _ throws(Thrown) in
            throw end("\(name)() of \"node:fs\"", "Use readFileSync and existsSync, or write the value itself.")
        }
    }
}
