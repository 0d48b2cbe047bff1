extension SearchText {
    /// Latin letters and numerals that Unicode doesn't decompose, and the plain letters that replace them in CLDR's
    /// transform "Latin-ASCII", release 44. Kept here rather than taken from the system's library, because an index
    /// outlives the library's version.
    static let plainLetters: [Unicode.Scalar: String] = {
        var letters: [Unicode.Scalar: String] = [:]
        for (plain, others) in lettersByReplacement { for scalar in others.unicodeScalars { letters[scalar] = plain } }
        return letters
    }()

    private static let lettersByReplacement: KeyValuePairs<String, String> = [
        "a": "ᴀᶏⱥ", "aa": "ꜳ", "ae": "æᴁ", "ao": "ꜵ", "au": "ꜷ", "av": "ꜹꜻ", "ay": "ꜽ", "b": "ƀƃɓʙᴃᵬᶀℬ",
        "c": "ƈȼɕᴄℂℭꞓⅽ", "d": "ðđƌȡɖɗᴅᴆᵭᶁᶑⅅⅆꝱꝺⅾ", "db": "ȸ", "dz": "ǆǳʣʥ", "e": "ɇɛᴇᶒᶓℯℰⅇⱸ", "f": "ƒᵮᶂℱꜰꝼ",
        "g": "ǥɠɡɢʛᶃℊꞡ", "h": "ħɦɧʜℋℍℎⱨ", "hv": "ƕ", "i": "ıɨɪᵻᶖℐℑℹⅈⅰ", "ij": "ĳ", "j": "ȷɉɟʝᴊⅉ", "k": "ƙᴋᶄⱪꝁꝃꝅꞣ",
        "l": "ŀłƚȴɫɬɭʟᴌᶅℒℓⱡꝇꝉꝲⅼ", "lj": "ǉ", "ll": "ỻ", "ls": "ʪ", "lz": "ʫ", "m": "ɱᴍᵯᶆℳꝳⅿ", "n": "ŋƞȵɲɳɴᵰᶇℕꝴꞑꞥ",
        "nj": "ǌ", "o": "øᴏℴⱺꝋꝍ", "oe": "œɶ", "oi": "ƣ", "oo": "ꝏ", "p": "ƥᴘᵱᵽᶈℙꝑꝓꝕ", "q": "ĸʠℚꝗꝙ", "qp": "ȹ",
        "r": "ɍɼɽɾʀᵲᵳᶉℛℜℝꝵꝶꞧ", "s": "ȿʂᵴᶊẜẝꜱꞩ", "t": "ŧƫƭȶʈᴛᵵⱦꝷꞇ", "th": "þᵺꝥꝧ", "ts": "ʦ", "u": "ʉᴜᵾᶙ",
        "ue": "ᵫ", "v": "ʋᴠᶌỽⱱⱴꝟⅴ", "vy": "ꝡ", "w": "ᴡⱳ", "x": "ᶍℌⅹ", "y": "ƴɏʏỿ", "z": "ƶȥɀʐʑᴢᵶᶎℤℨⱬ",
        "ii": "ⅱ", "iii": "ⅲ", "iv": "ⅳ", "ix": "ⅸ", "vi": "ⅵ", "vii": "ⅶ", "viii": "ⅷ", "xi": "ⅺ", "xii": "ⅻ",
    ]

    /// Replaces letters in the table with plain ones, in a text that is folded and composed.
    static func withPlainLetters(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if mayBeLatin(scalar), let letters = plainLetters[scalar] {
                plain.append(contentsOf: letters.unicodeScalars)
            } else if let digit = digit(scalar) {
                plain.append(contentsOf: "\(digit)".unicodeScalars)
            } else if !isVowelPoint(scalar) {
                plain.append(withoutHamza(scalar))
            }
        }
        return String(plain)
    }

    /// The value of a digit of any script, also of a small or encircled one.
    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        if scalar.isASCII || isLetterKnown(scalar) { return nil }
        let properties = scalar.properties
        guard properties.numericType == .decimal || properties.numericType == .digit else { return nil }
        return properties.numericValue.flatMap { Int(exactly: $0) }
    }

    /// Whether a character is one of the points of Hebrew and Arabic, which few people write. Those of other scripts
    /// make other words.
    private static func isVowelPoint(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7: true
        case 0x610...0x61A, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7...0x6E8, 0x6EA...0x6ED: true
        default: false
        }
    }

    /// The letter under a hamza or madda on an Arabic alef.
    private static func withoutHamza(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "\u{622}", "\u{623}", "\u{625}", "\u{671}": "\u{627}"
        default: scalar
        }
    }

    /// Whether a character is worth looking up in the table.
    private static func mayBeLatin(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE6...0x2AB, 0x1D00...0x1EFF, 0x2102...0x2149, 0x2170...0x217F, 0x2C61...0x2C7A, 0xA730...0xA7A9: true
        default: false
        }
    }

    /// Replaces the marks that voice half-width Kana, which folding leaves as they are.
    static func withVoicedKana(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == "\u{FF9E}" || $0 == "\u{FF9F}" }) else { return text }
        var wide = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{FF9E}": wide.append("\u{3099}")
            case "\u{FF9F}": wide.append("\u{309A}")
            default: wide.append(scalar)
            }
        }
        return String(wide)
    }
}
