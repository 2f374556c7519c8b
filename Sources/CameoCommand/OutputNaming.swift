import Cameo

/// Gives every input of one folder output names that no other input of it has.
struct OutputNaming {
    let template: NameTemplate
    let outputs: [BatchSettings.Output]

    /// The stems of each input's outputs, without extensions, in the order of `inputs`.
    ///
    /// Inputs that would share a name keep their old extension in it; what still collides is numbered in the order
    /// of the inputs. So the names depend on the set of inputs alone, not on who is done first.
    func stems(for inputs: [FilePath]) -> [[FilePath]] {
        var stems = inputs.map { names(of: $0, isDistinct: false) }
        for index in colliding(stems) { stems[index] = names(of: inputs[index], isDistinct: true) }
        var number = 2
        while true {
            // The first of those that share a name keeps it.
            let later = colliding(stems, sparingFirst: true)
            if later.isEmpty { return stems }
            for index in later {
                stems[index] = names(of: inputs[index], isDistinct: true).map {
                    FilePath(bytes: $0.bytes + "~\(number)".utf8)
                }
                number += 1
            }
        }
    }

    /// The stems of one input's outputs, no two of which are the same. `isDistinct` keeps the input's whole name in them.
    func names(of input: FilePath, isDistinct: Bool) -> [FilePath] {
        var names = outputs.map { template.stem(of: input, $0, isDistinct: isDistinct) }
        // A template that leaves out what tells two outputs apart gets it at the end.
        if Set(names).count < names.count {
            names = zip(names, outputs).map { FilePath(bytes: $0.bytes + $1.suffix.utf8) }
        }
        if Set(names).count < names.count {
            names = names.enumerated().map { FilePath(bytes: $1.bytes + "~\($0 + 1)".utf8) }
        }
        return names
    }

    private func colliding(_ stems: [[FilePath]], sparingFirst: Bool = false) -> [Int] {
        var owner: [FilePath: Int] = [:]
        var found: Set<Int> = []
        for (index, names) in stems.enumerated() {
            for name in names {
                if let first = owner[name], first != index {
                    found.insert(index)
                    if !sparingFirst { found.insert(first) }
                } else {
                    owner[name] = index
                }
            }
        }
        return found.sorted()
    }
}
