extension FileError {
    /// The answer: what it is, what it is about, and the numbers by which the request is found again. Why it was refused is
    /// for the log alone.
    package func markup(request: String, host: String) -> [UInt8] {
        MarkupWriter.document("Error", inNamespace: false) { writer in
            writer.element("Code", code)
            writer.element("Message", message)
            for detail in details { writer.element(named: detail.name, detail.value) }
            writer.element("RequestId", request)
            writer.element("HostId", host)
        }
    }
}
