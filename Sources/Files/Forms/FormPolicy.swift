import Access
import Crypto
import JSON

/// The policy of a form: until when it may be posted, and what its fields may hold. Who made the form has signed it.
package struct FormPolicy: Sendable {
    enum Condition: Sendable {
        case equals(name: String, value: String)
        case begins(name: String, with: String)
        /// One whose form is wrong: it is refused when it is asked.
        case never(text: String)

        var name: String {
            switch self {
            case .equals(let name, _), .begins(let name, _): name
            case .never: ""
            }
        }

        func holds(of value: String) -> Bool {
            switch self {
            case .equals(_, let expected): value == expected
            case .begins(_, let start): value.hasPrefix(start)
            case .never: false
            }
        }

        /// As the refusal shows it.
        var text: String {
            switch self {
            case .equals(let name, let value): "[\"eq\", \"$\(name)\", \"\(value)\"]"
            case .begins(let name, let start): "[\"starts-with\", \"$\(name)\", \"\(start)\"]"
            case .never(let text): text
            }
        }
    }

    /// In seconds since 1970.
    let expires: Int64
    let conditions: [Condition]
    /// How many bytes the file may have; nil where the policy does not say.
    package let lengths: ClosedRange<Int>?

    // MARK: Reading

    /// The policy of a form, as its field has it.
    package init(_ text: String) throws(FileError) {
        let plain = text.utf8.filter { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        guard let bytes = Base64.bytes(of: plain, .standard) else { throw Self.invalid("it is not base64") }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.value(
                of: bytes, limits: JSONLimits(bytesMax: FileLimits.formFieldBytesMax, nestingMax: 8))
        } catch {
            throw Self.invalid("it is not JSON")
        }
        guard let object = value.object else { throw Self.invalid("it is no object") }
        guard let expiration = object["expiration"]?.string else { throw Self.invalid("Policy missing expiration.") }
        guard let date = Timestamp(expiration)?.seconds else {
            throw Self.invalid("Invalid 'expiration' value: '\(expiration)'")
        }
        guard let list = object["conditions"]?.array else { throw Self.invalid("Policy missing conditions.") }
        expires = date
        var reader = ConditionReader()
        for condition in list { try reader.read(condition) }
        conditions = reader.conditions
        lengths = reader.lengths
    }

    static func invalid(_ what: String) -> FileError {
        FileError(400, "InvalidPolicyDocument", "Invalid Policy: \(what)")
    }

    // MARK: Checking

    /// Fields that no condition has to name: those that sign the form, and those that its maker means for somebody else.
    private static func isFree(_ name: String) -> Bool {
        switch name {
        case "policy", "file", "x-amz-signature", "awsaccesskeyid", "signature": true
        default: name.hasPrefix("x-ignore-")
        }
    }

    /// Throws where the form is not what its maker meant: every field has to be named by a condition, bucket and key in any
    /// case, and each condition has to hold.
    package func check(_ fields: FormFields, bucket: String, now: Int64) throws(FileError) {
        guard now < expires else { throw Self.denied("Policy expired.") }
        var named: Set<ByteText> = []
        for condition in conditions {
            named.add(condition.name)
            // A field that did not come is empty, but for the bucket, which the address names.
            let value = condition.name == "bucket" ? bucket : fields[condition.name] ?? ""
            guard condition.holds(of: value) else {
                throw Self.denied("Policy Condition failed: \(condition.text)")
            }
        }
        for name in ["bucket", "key"] where !named.contains(name) {
            throw Self.denied("Policy has no condition for '\(name)'.")
        }
        for field in fields.all where !named.contains(field.name) && !Self.isFree(field.name) {
            throw Self.denied("Extra input fields: \(field.name)")
        }
        if let given = fields["bucket"], given != bucket {
            throw Self.denied("Policy Condition failed: the form names another bucket")
        }
    }

    /// Throws where a file of that size is none that may be uploaded.
    package func check(size: Int) throws(FileError) {
        guard let lengths else { return }
        if size < lengths.lowerBound {
            throw .tooSmall.with("ProposedSize", "\(size)").with("MinSizeAllowed", "\(lengths.lowerBound)")
        }
        if size > lengths.upperBound {
            throw .tooLarge.with("ProposedSize", "\(size)").with("MaxSizeAllowed", "\(lengths.upperBound)")
        }
    }

    private static func denied(_ what: String) -> FileError { .accessDenied("Invalid according to Policy: \(what)") }
}
