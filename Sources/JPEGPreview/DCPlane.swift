/// The DC coefficients of one component, quantised, as they stand in the file.
///
/// `@unchecked Sendable`: written by the one decoder that made it, before it hands it out; read only from then on.
package final class DCPlane: @unchecked Sendable {
    /// The blocks that hold picture.
    package let columns: Int
    package let rows: Int
    /// Blocks from one row to the next: the last unit of a row may reach beyond the picture.
    let stride: Int
    /// `stride` times the rows of whole units. Exactly as many as the frame header makes necessary.
    let values: UnsafeMutablePointer<Int16>
    let count: Int
    /// What a coefficient is multiplied by.
    package internal(set) var quantizer = 1
    /// How many low bits no scan told that was read: 0 but in a progressive file.
    package internal(set) var missingBits = 0

    init(columns: Int, rows: Int, stride: Int, storedRows: Int) {
        self.columns = columns
        self.rows = rows
        self.stride = stride
        count = stride * storedRows
        values = .allocate(capacity: count)
        values.initialize(repeating: 0, count: count)
    }

    deinit { values.deallocate() }

    /// The coefficient of the block at (`column`, `row`).
    package subscript(column: Int, row: Int) -> Int16 {
        precondition(column >= 0 && column < columns && row >= 0 && row < rows, "no such block")
        return values[row * stride + column]
    }
}
