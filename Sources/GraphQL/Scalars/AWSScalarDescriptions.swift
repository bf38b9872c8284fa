/// The definitions of the scalars of AWS. Tools know them by how their descriptions begin.
enum AWSScalarDescriptions {
    static let definitions = texts.map { name, text in
        "\"\"\"\nThe `\(name)` scalar type provided by AWS AppSync, represents \(text)\n\"\"\"\nscalar \(name)\n\n"
    }.joined()

    private static let texts: [(name: String, text: String)] = [
        (
            "AWSDate",
            "a date in the extended form of ISO 8601, `YYYY-MM-DD`. Years before 0000 have a minus sign (`-2017-05-01`). A time zone offset may follow: `Z`, `+05:30` or `-05:30:12`."
        ),
        (
            "AWSTime",
            "a time in the extended form of ISO 8601, `hh:mm:ss.sss`. Seconds, and their fraction of up to nine digits, may be left out. A time zone offset may follow: `Z`, `-07:00` or `+05:30:00`."
        ),
        (
            "AWSDateTime",
            "a date and a time in the extended form of ISO 8601, `YYYY-MM-DDThh:mm:ss.sssZ`. Seconds, and their fraction of up to nine digits, may be left out; the time zone offset must be there: `Z`, `-07:00` or `+05:30:00`."
        ),
        (
            "AWSTimestamp",
            "the number of seconds since `1970-01-01T00:00Z`, negative before it, from -31557014167219200 to 31556889864403199. It is written as a number."
        ),
        (
            "AWSEmail",
            "an email address, `local-part@domain-part`, as RFC 822 defines it."
        ),
        (
            "AWSJSON",
            "a JSON string that complies with RFC 8259: an object, a list or a scalar, such as `\"{\\\\\"upvotes\\\\\": 10}\"`, `\"[1,2,3]\"` or `\"true\"`. It is parsed on the way in and written again on the way out."
        ),
        (
            "AWSURL",
            "a URL with a scheme, such as `https://www.amazon.com/` or `http://localhost/`. Two slashes in a row may not be in its path."
        ),
        (
            "AWSPhone",
            "a phone number. Spaces and hyphens may separate groups of digits. Without a country code it is a number of the United States."
        ),
        (
            "AWSIPAddress",
            "an IPv4 or IPv6 address, such as `127.0.0.1` or `::1`, with an optional prefix length (`10.0.0.0/8`)."
        ),
    ]
}
