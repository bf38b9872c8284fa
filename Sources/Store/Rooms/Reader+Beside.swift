extension Reader {
    /// Reads a database beside the process that has it open, without a schema: for rooms whose tables lie beside the models'.
    /// SQLite's log lets others read while one writes; each query sees what was on the disk at its moment.
    package static func beside(_ path: String) throws(StoreError) -> Reader { try Reader(path: path) }
}
