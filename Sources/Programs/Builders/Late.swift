import Blueprint
import Project

/// What a call was given, read once when the schema is made.
///
/// Amplify's builders keep the lists and objects that they are given, and read them at the end. A program may change them
/// until then.
@propertyWrapper
struct Late<Read> {
    typealias Reading = () throws(TypeScriptError) -> Read

    private var value: Read
    private var reading: Reading?

    init(wrappedValue: Read) {
        value = wrappedValue
    }

    /// What has been read; before that, what it is without a call.
    var wrappedValue: Read {
        get { value }
        set {
            value = newValue
            reading = nil
        }
    }

    var projectedValue: Late {
        get { self }
        set { self = newValue }
    }

    /// Takes the place of what an earlier call gave.
    mutating func keep(_ reading: @escaping Reading) { self.reading = reading }

    /// What it is now. A later change of the program may make it something else.
    func current() throws(TypeScriptError) -> Read {
        guard let reading else { return value }
        return try reading()
    }

    mutating func read() throws(TypeScriptError) {
        guard let reading else { return }
        self.reading = nil
        value = try reading()
    }
}
