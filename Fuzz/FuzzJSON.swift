// A libFuzzer target for JSON: what is accepted must read back as the same value. `Fuzz/run` builds and starts it.

/// Reads one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // A copy that ends where the input ends, so that a step beyond is found.
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    _ = JSONLocator(bytes).position(of: JSONPath([.key("a"), .index(1)]))
    do throws(JSONError) {
        let value = try JSONReader.value(of: bytes)
        let again = try JSONReader.value(of: JSONWriter.bytes(of: value))
        precondition(again == value, "a value changed on its way through text")
    } catch {
        precondition((0...count).contains(error.position.offset), "an error outside of the text")
    }
    return 0
}
