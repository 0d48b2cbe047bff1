import Foundation
import SeededRandom

extension SeededGenerator {
    /// Uniform over orders of magnitude: as often from 10 to 100 as from 100 to 1,000.
    mutating func magnitude(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound * pow(range.upperBound / range.lowerBound, Double.random(in: 0...1, using: &self))
    }
}
