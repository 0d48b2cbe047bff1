import MarqueeDiff
import Testing

@Suite struct XXH64Tests {
    @Test(
        "hashes texts as the published algorithm does",
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("message digest", 0x066E_D728_FCEE_B3BE), ("abcdefghijklmnopqrstuvwxyz", 0xCFE1_F278_FA89_835C),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1), ("홈 화면", 0xA353_617C_1203_2F0D),
        ] as [(String, UInt64)])
    func texts(text: String, expected: UInt64) {
        #expect(XXH64.hash(Array(text.utf8)) == expected)
    }

    @Test(
        "hashes every kind of length as the reference library does",
        arguments: [
            (0, 0xEF46_DB37_51D8_E999), (1, 0xAD10_CD97_80AC_4FF7), (3, 0x4062_6D96_276E_4594),
            (4, 0x8822_07C1_22C7_6E23), (5, 0xA3DA_885E_EC61_8BB4), (7, 0xCFC9_0033_AA9D_AC4F),
            (8, 0x90FD_A2F0_89FA_86DE), (9, 0x1F78_E316_A793_067A), (12, 0x940E_6CB5_B273_ABC9),
            (15, 0xA97F_E2DF_2054_EAEC), (16, 0x16C6_69FC_ADF3_D9B8), (31, 0xEF61_1567_BE98_9431),
            (32, 0x8B8A_6388_4308_46BD), (33, 0x5FA8_FF87_18D5_077C), (39, 0x443A_AECD_7B61_BEAE),
            (40, 0xBE85_85BE_6A2F_B9B7), (44, 0x19A2_643A_6358_088C), (47, 0x2AE3_F119_33A5_B482),
            (63, 0xA2E4_5802_7CA4_0DED), (64, 0x020F_4789_BDE9_B770), (65, 0xC258_08EB_30FB_3574),
            (100, 0x4169_46EA_18F5_D6E4), (127, 0xA9E6_D8B9_0864_56B1), (128, 0x9D14_F657_CADF_DB80),
            (255, 0x0D5D_2C50_6043_0830), (256, 0x0DF2_8FD4_CF99_DDDD), (1000, 0x55B0_F390_9B46_D2CF),
            (4096, 0x678F_E048_C57D_DA84), (65537, 0x74F6_EB72_77D4_DAB4),
        ] as [(Int, UInt64)])
    func lengths(count: Int, expected: UInt64) {
        #expect(XXH64.hash(bytes(count)) == expected)
    }

    @Test func `gives the same hash at every alignment`() {
        let expected = XXH64.hash(bytes(77))
        for shift in 0..<16 {
            let shifted = [UInt8](repeating: 0xEE, count: shift) + bytes(77)
            let hash = shifted.withUnsafeBytes { XXH64.hash(UnsafeRawBufferPointer(rebasing: $0[shift...])) }
            #expect(hash == expected)
        }
    }

    private func bytes(_ count: Int) -> [UInt8] {
        // With types, as it takes the compiler seconds to infer them.
        (0..<count).map { (index: Int) -> UInt8 in
            let mixed: Int = (index * 131 + 17) ^ (index >> 3)
            return UInt8(truncatingIfNeeded: mixed)
        }
    }
}
