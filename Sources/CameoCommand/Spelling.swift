/// Finds the word that somebody who mistyped it meant.
enum Spelling {
    /// ` (did you mean --size?)` for the nearest of `words`, or nothing where none is near.
    static func suggestion(for typed: String, among words: [String], prefix: String = "") -> String {
        let nearest = words.map { (word: $0, distance: distance(typed, $0)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(2, typed.count / 3) else { return "" }
        return " (did you mean \(prefix)\(nearest.word)?)"
    }

    /// The number of letters to insert, drop, replace or exchange with a neighbour (optimal string alignment).
    static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a), Array(b))
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var cost = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
