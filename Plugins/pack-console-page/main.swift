import CZlib

#if canImport(FoundationEssentials)
    import FoundationEssentials
    import Glibc
#else
    import Foundation
#endif

// Writes the files of the console's page as Swift: pack-console-page OUTPUT FOLDER NAME...
//
// Each is compressed for itself, so that a browser is sent what the program carries, as it is.

func fail(_ message: String) -> Never {
    let text = "pack-console-page: \(message)\n"
    _ = write(STDERR_FILENO, text, text.utf8.count)
    exit(1)
}

/// The bytes as gzip has them: without a name or a date, so that the same files are always packed the same.
func compressed(_ bytes: [UInt8]) -> [UInt8] {
    let (gzip, levelMax, memoryMax): (Int32, Int32, Int32) = (16 + 15, 9, 9)
    var stream = z_stream()
    guard homeport_deflate_init(&stream, levelMax, gzip, memoryMax) == Z_OK else { fail("no memory to compress in") }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let outcome = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
            (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
            return deflate(&stream, Z_FINISH)
        }
    }
    guard outcome == Z_STREAM_END else { fail("the compressor stopped with \(outcome)") }
    return Array(output.prefix(Int(stream.total_out)))
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count > 1 else { fail("takes OUTPUT FOLDER NAME...") }
let (output, folder, names) = (arguments[0], arguments[1], arguments.dropFirst(2))

var source = """
    // Written by pack-console-page.
    extension ConsolePage {
        package static let files: [File] = [

    """
for name in names {
    guard !name.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
        fail("a name has characters that Swift has a meaning for: \(name)")
    }
    do {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
        let gzip = compressed(bytes)
        // Pictures and fonts are compressed already.
        let isCompressed = gzip.count < bytes.count
        let text = Data(isCompressed ? gzip : bytes).base64EncodedString()
        source += "        File(name: \"\(name)\", count: \(bytes.count), isCompressed: \(isCompressed),\n"
        source += "            packed: \"\(text)\"),\n"
    } catch {
        fail("cannot read \(name): \(error)")
    }
}
source += "    ]\n}\n"
do {
    try Data(source.utf8).write(to: URL(fileURLWithPath: output))
} catch {
    fail("cannot write \(output): \(error)")
}
