/// Turns the header blocks of one connection into fields (RFC 7541, section 6).
package struct HPACKDecoder: ~Copyable {
    private var table: HPACKDynamicTable
    /// The bytes of the field at hand: its name, then its value.
    private var field: [UInt8] = []

    package init(tableBytes: Int = HTTP2Limits.tableBytes) {
        table = HPACKDynamicTable(capacity: tableBytes)
    }

    /// The memory that it holds between two blocks.
    package var heldBytes: Int { table.heldBytes }

    /// The size of its table, as RFC 7541 counts it.
    var tableSize: Int { table.size }

    package mutating func decode(_ block: UnsafeRawBufferPointer, limits: HTTP2Limits) throws(HPACKError) -> HPACKFields
    {
        var fields = HPACKFields()
        var position = 0
        var hasBegun = false
        // Its memory is let go of with the block.
        defer { field = [] }
        while position < block.count {
            let first = block[position]
            if first & 0x80 != 0 {
                let index = try HPACKInteger.decode(block, at: &position, prefixBits: 7)
                try addIndexed(index, to: &fields, limits)
            } else if first & 0xC0 == 0x40 {
                try addLiteral(block, at: &position, prefixBits: 6, form: .indexed, to: &fields, limits)
            } else if first & 0xE0 == 0x20 {
                guard !hasBegun else { throw .badTableSize }
                try table.resize(to: HPACKInteger.decode(block, at: &position, prefixBits: 5))
                continue
            } else {
                let form = first & 0x10 != 0 ? Form.never : .plain
                try addLiteral(block, at: &position, prefixBits: 4, form: form, to: &fields, limits)
            }
            hasBegun = true
        }
        return fields
    }

    private enum Form {
        /// The field goes into the table.
        case indexed
        case plain
        case never
    }

    private mutating func addIndexed(
        _ index: Int, to fields: inout HPACKFields, _ limits: HTTP2Limits
    ) throws(HPACKError) {
        if index <= HPACKStaticTable.count {
            guard let (name, value) = HPACKStaticTable.shared.field(index) else { throw .unknownIndex }
            guard try fields.hasRoom(for: name.count + value.count, limits: limits) else { return }
            fields.append(nameCount: name.count) { bytes in
                bytes.append(contentsOf: name)
                bytes.append(contentsOf: value)
            }
        } else {
            let place = index - HPACKStaticTable.count - 1
            guard let (name, value) = table.counts(place) else { throw .unknownIndex }
            guard try fields.hasRoom(for: name + value, limits: limits) else { return }
            fields.append(nameCount: name) { table.append(place, name + value, to: &$0) }
        }
    }

    private mutating func addLiteral(
        _ block: UnsafeRawBufferPointer, at position: inout Int, prefixBits: Int, form: Form,
        to fields: inout HPACKFields, _ limits: HTTP2Limits
    ) throws(HPACKError) {
        field.removeAll(keepingCapacity: true)
        let index = try HPACKInteger.decode(block, at: &position, prefixBits: prefixBits)
        if index == 0 {
            try appendText(block, at: &position)
        } else if index <= HPACKStaticTable.count {
            guard let (name, _) = HPACKStaticTable.shared.field(index) else { throw .unknownIndex }
            field.append(contentsOf: name)
        } else {
            let place = index - HPACKStaticTable.count - 1
            guard let (name, _) = table.counts(place) else { throw .unknownIndex }
            table.append(place, name, to: &field)
        }
        let nameCount = field.count
        try appendText(block, at: &position)
        if form == .indexed { table.insert(field, from: 0, nameCount: nameCount) }
        guard try fields.hasRoom(for: field.count, limits: limits) else { return }
        fields.append(nameCount: nameCount, isNeverIndexed: form == .never) { $0.append(contentsOf: field) }
    }

    private mutating func appendText(
        _ block: UnsafeRawBufferPointer, at position: inout Int
    ) throws(HPACKError) {
        guard position < block.count else { throw .truncated }
        let isHuffman = block[position] & 0x80 != 0
        let count = try HPACKInteger.decode(block, at: &position, prefixBits: 7)
        guard count <= block.count - position else { throw .truncated }
        let text = UnsafeRawBufferPointer(rebasing: block[position..<position + count])
        position += count
        if isHuffman {
            try HPACKHuffman.shared.decode(text, into: &field)
        } else {
            field.append(contentsOf: text)
        }
    }
}
