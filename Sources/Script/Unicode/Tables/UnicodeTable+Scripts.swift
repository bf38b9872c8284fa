// Written by scripts/unicode-tables from Unicode 17.0; not to be changed by hand.

/// The script of every code point, and the scripts that it is used with.
extension UnicodeTable {
    /// Long and short name of each script, in the order that the runs count.
    static let scriptNames: StaticString = """
        Adlam:Adlm Caucasian_Albanian:Aghb Ahom:Ahom Arabic:Arab Imperial_Aramaic:Armi Armenian:Armn Avestan:Avst Bali\
        nese:Bali Bamum:Bamu Bassa_Vah:Bass Batak:Batk Bengali:Beng Beria_Erfe:Berf Bhaiksuki:Bhks Bopomofo:Bopo Brahm\
        i:Brah Braille:Brai Buginese:Bugi Buhid:Buhd Chakma:Cakm Canadian_Aboriginal:Cans Carian:Cari Cham:Cham Cherok\
        ee:Cher Chorasmian:Chrs Coptic:Copt Cypro_Minoan:Cpmn Cypriot:Cprt Cyrillic:Cyrl Devanagari:Deva Dives_Akuru:D\
        iak Dogra:Dogr Deseret:Dsrt Duployan:Dupl Egyptian_Hieroglyphs:Egyp Elbasan:Elba Elymaic:Elym Ethiopic:Ethi Ga\
        ray:Gara Georgian:Geor Glagolitic:Glag Gunjala_Gondi:Gong Masaram_Gondi:Gonm Gothic:Goth Grantha:Gran Greek:Gr\
        ek Gujarati:Gujr Gurung_Khema:Gukh Gurmukhi:Guru Hangul:Hang Han:Hani Hanunoo:Hano Hatran:Hatr Hebrew:Hebr Hir\
        agana:Hira Anatolian_Hieroglyphs:Hluw Pahawh_Hmong:Hmng Nyiakeng_Puachue_Hmong:Hmnp Old_Hungarian:Hung Old_Ita\
        lic:Ital Javanese:Java Kayah_Li:Kali Katakana:Kana Kawi:Kawi Kharoshthi:Khar Khmer:Khmr Khojki:Khoj Khitan_Sma\
        ll_Script:Kits Kannada:Knda Kirat_Rai:Krai Kaithi:Kthi Tai_Tham:Lana Lao:Laoo Latin:Latn Lepcha:Lepc Limbu:Lim\
        b Linear_A:Lina Linear_B:Linb Lisu:Lisu Lycian:Lyci Lydian:Lydi Mahajani:Mahj Makasar:Maka Mandaic:Mand Manich\
        aean:Mani Marchen:Marc Medefaidrin:Medf Mende_Kikakui:Mend Meroitic_Cursive:Merc Meroitic_Hieroglyphs:Mero Mal\
        ayalam:Mlym Modi:Modi Mongolian:Mong Mro:Mroo Meetei_Mayek:Mtei Multani:Mult Myanmar:Mymr Nag_Mundari:Nagm Nan\
        dinagari:Nand Old_North_Arabian:Narb Nabataean:Nbat Newa:Newa Nko:Nkoo Nushu:Nshu Ogham:Ogam Ol_Chiki:Olck Ol_\
        Onal:Onao Old_Turkic:Orkh Oriya:Orya Osage:Osge Osmanya:Osma Old_Uyghur:Ougr Palmyrene:Palm Pau_Cin_Hau:Pauc O\
        ld_Permic:Perm Phags_Pa:Phag Inscriptional_Pahlavi:Phli Psalter_Pahlavi:Phlp Phoenician:Phnx Miao:Plrd Inscrip\
        tional_Parthian:Prti Rejang:Rjng Hanifi_Rohingya:Rohg Runic:Runr Samaritan:Samr Old_South_Arabian:Sarb Saurash\
        tra:Saur SignWriting:Sgnw Shavian:Shaw Sharada:Shrd Siddham:Sidd Sidetic:Sidt Khudawadi:Sind Sinhala:Sinh Sogd\
        ian:Sogd Old_Sogdian:Sogo Sora_Sompeng:Sora Soyombo:Soyo Sundanese:Sund Sunuwar:Sunu Syloti_Nagri:Sylo Syriac:\
        Syrc Tagbanwa:Tagb Takri:Takr Tai_Le:Tale New_Tai_Lue:Talu Tamil:Taml Tangut:Tang Tai_Viet:Tavt Tai_Yo:Tayo Te\
        lugu:Telu Tifinagh:Tfng Tagalog:Tglg Thaana:Thaa Thai:Thai Tibetan:Tibt Tirhuta:Tirh Tangsa:Tnsa Todhri:Todr T\
        olong_Siki:Tols Toto:Toto Tulu_Tigalari:Tutg Ugaritic:Ugar Vai:Vaii Vithkuqi:Vith Warang_Citi:Wara Wancho:Wcho\
         Old_Persian:Xpeo Cuneiform:Xsux Yezidi:Yezi Yi:Yiii Zanabazar_Square:Zanb Inherited:Zinh Common:Zyyy Unknown:\
        Zzzz
        """

    /// Runs of (length, place in `scriptNames`).
    static let scripts: StaticString = """
        Q2]5JY26]5JY2_1]51Y2?]51Y25]5GY21]5OY21]5Q>Y2W1]55Y25]52>D]5`3p54]11]53]12^54]11]51]14^51]11]51]11]53]11^51]11\
        ^5D]11^5o1]1>I@]1U4L2p5Y5L1^5V152^5b152^5351^5g1e18^5Ke14^56e1;^5531]5631]5>31]5331]5P131]5:3;p5J31p5p331]5R13\
        >]41^5l1]42^53]4`13b1i4>^5k1V32^53V3^1l32^5?l31^5Lc22^51c21^5;]45^5R135^5[231]5M3a2M4p5?M2]5JM4;1^58;2^52;2^5F\
        ;1^57;1^51;3^54;2^59;2^52;2^54;8^51;4^52;1^55;2^5I;2^53`11^56`14^52`12^5F`11^57`11^52`11^52`11^52`12^51`11^55`\
        14^52`12^53`13^51`17^54`11^51`17^5A`1:^53^11^59^11^53^11^5F^11^57^11^52^11^55^12^5:^11^53^11^53^12^51^1?^54^12\
        ^5<^17^57^11^53p31^58p32^52p32^5Fp31^57p31^52p31^55p32^59p32^52p32^53p37^53p34^52p31^55p32^5Bp3:^52b41^56b43^5\
        3b41^54b43^52b41^51b41^52b43^52b43^53b43^5<b44^55b43^53b41^54b42^51b46^51b4>^5Eb45^5=f41^53f41^5Gf41^5@f42^59f\
        41^53f41^54f47^52f41^53f41^52f42^54f42^5:f47^59f4=T21^53T21^5GT21^5:T21^55T22^59T21^53T21^54T27^52T25^53T21^54\
        T22^5:T21^53T2<^5=j21^53j21^5c1j21^53j21^56j24^5@j22^5Jj21^53U41^5BU43^5HU41^59U41^51U42^57U43^51U44^56U41^51U\
        41^58U46^5:U42^53U4<^5j1j44^51]5Lj4U1^52X21^51X21^55X21^5HX21^51X21^5GX22^55X21^51X21^57X21^5:X22^54X2P1^5X2k4\
        1^5T1k44^5W1k41^5T1k41^5?k41^57k44]52k4U1^5P5P3V1W11^51W15^51W12^5[1W11]54W1P8a1Y2U11^54U12^57U11^51U11^54U12^\
        5Y1U11^54U12^5Q1U11^54U12^57U11^51U11^54U12^5?U11^5i1U11^54U12^5S2U12^5P1U13^5JU16^5f2G2^56G2^5PDDMX33^5[2k33]\
        5;k37^5Fh49^51h4Ec12]59^5DB<^5=^41^53^41^52^4<^5n2Q22^5:Q26^5:Q26^52l22]51l21]5Dl26^5i2l27^5[1l25^5V2D:^5O[21^\
        5<[24^5<[24^51[23^5<[2N`42^55`4;^5p1a44^5Ja46^5;a43^52a4P1Q2LA2^52Ao1W21^5MW22^5;W26^5:W26^5>W22^5^1p52^5<p5D^\
        5]271^5b17P2Z4d1:8^54:h1Z23^5?Z23^53Z2`1Y3;L5^5[1W12^53W18Z48^53p51]5=p51]57p54]51p56]51p53]52p51]55^5V1Y25]11\
        La1Y25]14Y25]1=Y21LV2Y21]1P2p5P8Y2F]12^56]12^5V1]12^56]12^58]11^51]11^51]11^51]11^5O]12^5e1]11^5?]11^5>]12^56]\
        11^5C]12^53]11^59]11^5<]52p5g2]51^5;]51Y22^5;]51Y2?]51^5=Y23^5R1]5>^5Q1p5?^5V1]51]13]52Y26]51Y2K]51Y2A]5Y1Y23]\
        54^5jD]5F^5;]5E^5PM]5P8@dC]52^5Z4]5P3X1P1Y2d3I5^57IV1W11^51W15^51W12^5h1g47^52g4>^51g4GU19^57U11^57U11^57U11^5\
        7U11^57U11^57U11^57U11^57U11^5P1Ln2]5R1^5Jb11^5i2b1<^5f6b1J^5E]51b11]51b1I]59b14p52a18]54b14]51^5f2f12^52p52]5\
        3f11]5j2n12]53n15^5[1>1^5n2a11^5@]5P1>V1]59^51]5@n1Oa11^5P2]5Oa1a2]5_1n11]5h2n1X5]5P^6b1P2]5P`Db1]T1Z53^5g1Z59\
        ^5`1^2p9S5D^5P3Lh288^5R1]5V3Y23]5b2Y2D^5?Y2]1p43^5:]56^5h1c38^5V2n38^5<n36^5P1M^1m11]51m1T1i3;^51i3Ma13^5^2l11\
        ^51]5:l14^52l1OP31^5g1F9^5>F2^5:F2^54FP1P3S2d4H^55d4Gn2:^56U12^56U12^56U19^57U11^57U11^5[1Y21]59Y21]14Y22]54^5\
        `2G^1n22^5:n26^5Tm:a1<^5Ga14^5a1a1TX8^5^;b12^5Z3b1V1^57Y2<^5555^5Je11^55e11^51e11^52e11^52e11^5:e1^?32]5`43P1^\
        5@3@p5:]56^5>p52LS1]51^5C]51^54]54^5531^5W432^51]51^5P1]5JY26]5JY2;]5:n11]5]1n12]5Oa13^56a12^56a12^56a12^53a13\
        ^57]51^57]5:^55]52^5<]21^5J]21^5C]21^52]21^5?]22^5>]2R1^5k3]25^53]54^5]1]53^59]5_2]11^5=]53^51]1_1^5]1]51p5R4^\
        5M_23^5a1E?^51p5K]54^5T1k19^53k1K[15^5[1b35^5NR51^51R5T1W54^5>W5Z1^5`2P1`1P4N^32^5:^36^5T1]34^5T1]34^5X1S18^5d\
        11;^511;T51^5?T51^57T51^52T51^5;T51^5?T51^57T51^52T53^5d1n4<^5g9p29^5Fp2:^58p2H^56Y21^5Z1Y21^59Y2U2^56K2^51K1^\
        5p1K1^52K3^51K2^51KF41^594P1`3OT38^59T3`1^5Cd11^52d15^55d1Lf33^51f3J`25^51`2JS4V1^5P1i2Hh24^5Dh22^5^1h24P21^52\
        P25^58P21^53P21^5MP22^53P24^5:P27^59P27^5P1m3P1S3P1^5W1d24^5<d29^5f163^576Fh32^58h3Cd35^58d3Be37^54e3<^57e3`2^\
        5Y2[3g1^5c1j1=^5c1j17^56j1X1j38^5:j36^5V1V13^5MV18^52V1`6^5O31^5Z1Y51^53Y52^52Y5@^5638^593Q1^563X1W48^5Z1V4F^5\
        J_3V1^5LHD^5GT19^5^2?4^5T1?9^51?S2V2:^51V22^5IX47^5:X46^5e1C1^5BC8^5W1a29^5P3Q41^5DU4;^5BR21^5_1R2n1^57o21^51o\
        21^54o21^5?o21^5;o26^5k1T45^5:T46^54p11^58p12^52p12^5Fp11^57p11^52p11^55p11^51p59p12^52p12^53p12^51p16^51p15^5\
        7p12^57p13^55p1;^5:Q51^51Q52^51Q51^5V1Q51^5:Q51^51Q52^51Q51^54Q51^5:Q51^52Q58^52Q5M^5l2U31^55U3N^5X2l48^5:l4V5\
        ^5f1R42^5V1R4R1^5U2k2;^5:k26^5=l2C^5j1_46^5:_46^5DP3L^5K22^5?24^5G2i5^5l1OT3^5c2U5<^51U57N2^51N2^58N1^52N1^5NN\
        1^52N2^5<N9^5:NV2^58R32^5^1R32^5;R3K^5X2[58^5c2Y4=^5@Di1a37^5:Mf2^58Q4h2^5R1[4>^5:[46^59=1^5]1=1^5>=:^5M=3^5P1\
        e22^5Fe21^5>e2Y2^57Z11^52Z11^5p1Z13^51Z11^52Z11^59Z18^5:Z16^56Y11^52Y11^5U1Y11^52Y11^56Y17^5:Y16^5p1o44^5:o4f7\
        ^5Ib27^5Ao11^5Y1o13^5Mo1e2^51^2?^5b1b4=^51b4jLX5V3^5_3X51^55X5;^5T6X5pb2^5S3J=^5fR1R1:^5kl3R15^5WBg1ie6^5j1_1V\
        f1^5iA87^5Om21^5:m24^52m2_2m41^5:m46^5N92^569:^5V2h1:^5:h11^57h11^5Eh15^5Ch1`=^5j1U2V6^5k2f25^5I<2^5I<p1^5[2g3\
        4^5i1g37^5Ag3P2^51c41W32b11S2;^57b19^5Ph6c4f>S2Y1^51S2Oc4Q3^5c3c4m_8^54n11^57n11^52n11^51n1o8f13n1?^51f1M^53f1\
        2^51n1>^54n18^5p<W3TX2^5[3Q15^5=Q13^59Q17^5:Q12^54Q14]5lj3^5m7]53^5d=]56^5G]5?^5A]5?^5^1p52^5Gp59^5d3]5l1^5f7]\
        5:^5W1]52^5n1]53p5A]58p52]57p5N]54p5m1]5E^5V2]1j3^5D]5<^5D]5<^5g2]59^5I]5W4^5e2]51^5W2]51^52]52^51]52^52]52^54\
        ]51^5<]51^51]51^57]51^5Q2]51^54]52^58]51^57]51^5L]51^54]51^55]51^51]53^57]51^5d:]52^5T9]52^5b1]5pDo3?^55o31^5?\
        o3`R1^5OY26^56Y2e6^57X11^5AX12^57X11^52X11^55X15^5n1LQ1^51L`3^5]1i13^5>i12^5:i14^52i1P:^5OP5A^5j1V55^51V5`>^5Z\
        1Q3f6^5[1Z34^51Z3P6^5Oe41^5Fe48^52e4P7^57U11^54U11^52U11^5?U11^5U6g22^5@g2Y1^5p204^5:04^520aH^5T2]5p2^5m1]5R6^\
        5431^5K31^5231^5132^5131^5:31^5431^5131^5136^5134^5131^5131^5131^5331^5231^5132^5131^5131^5131^5131^5131^5231^\
        5132^5431^5731^5431^5431^5131^5:31^5A35^5331^5531^5A3d1^523^8^5p1]54^5T3]5<^5?]52^5?]51^5?]51^5U1]5:^5^5]5h1^5\
        J]51f12]5=^5p1]54^59]57^52]5>^56]5j4^5iN]53^5A]53^5=]53^5j6]56^5<]54^51]5?^5<]54^5h1]58^5:]56^5X1]58^5N]52^5<]\
        54^52]5>^59]5W1^5h:]58^5>]52^5=]53^5;]53^5i1]51^51]54^5@]52^5<]54^5:]57^5c4]51^5W3]5UP1^5PgY1b1P1^5nX4b12^5^d5\
        b12^5aY7b1?^5^Cb1R]2^5n@b1R_1^5[j4b15^5ZY8b1WlbE^51]5N^5P3]5P4^5`7p5``o5^5
        """

    /// Of the code points whose extensions are not their script alone: gap, length, number of scripts, the scripts.
    static let scriptExtensions: StaticString = """
        g51@6EIQ1S1W1X1Y1[1]1b1Y2`2a2b3P4T@17;LMY2^2j4P5:12>Y2132>Y2112Y2^2912Y2j4112>Y2V118GIL]1Y2b3[4`4018GL]1Y2]3[4\
        `4n4014GLY2g4015X1Y2[4]4j401;1GIL[1]1Y2]3]4g4n4016IS1X1[1n1Y2015L]1Y2b3g4019IQ1e1Y2b3]4`4g4n401;5LQ1[1]1e1Y2b3\
        ]4`4g4012Y2g4013Q1Y2]4014GLY2]3013GY2`4012Y2[4012U1Y2112Y2[4013LY2n4114]1Y2b3n4?16GQ1n1Y2]4g4014GQ1Y2]4012Y2]4\
        713Y2[4]4012Y2]4113GY2]40171G[1Y2[4]4j4@11]1211]1B12Y2]35131Y2n44=1Y2422I]1]812Lb3012LX1022LY2012LX1Q8135W1X1R\
        4173V1V3j3]4i4Y5>173V1V3j3]4i4Y50133]4i421803V1V3j3]4i4Y5P11903c2d2_3e3j3V4]4:;23]4::33i4Y56123]4S3123j3lC1?;M\
        p1^1`1T2Y2j2R3U3p3Q4b4f4l401=;Mp1^1`1T2Y2j2U3p3b4f4l4A1E;MOY1Z1p1^1`1T2a2j2R3Z3p3T4U4p4_4b4f4l401G;MOY1Z1p1^1_\
        1`1T2[2a2j2R3Z3p3T4U4p4_4b4f4l40:4MOV2a2f3:3;Cp4f3:2`1o2f3:2^1R2f7>2p1b4b7:3T2R3Q5`J:3CP3`4a513W1X1Y2__1>1k3l1\
        24Bc1^4h4[622l2c3112l2c3ZV114;Mp1T2011M014;Mp1T2013Mp1T2011M015;MU3f4l4013;Mf4013MU3Q4014;MU3f4012MQ4016MT2j2p\
        3b4f4011M022MQ4021M012MQ4012;M013MU3l4061M013MR3U3013;MQ4012MU3011M014;MU3Q4041M01;;Mp1T2j2R3p3U4f4l4Q5012Mp10\
        14Mp1T2Q5022;M011;022Mp1011R3U621]1f113LY2]4111]4dA13Y2l2c3O1203:16EW1X1j1_2[3214E]1j1i2b413Mp1Y2VY312IY2H126[\
        30176EW1j1V2`2l3:11Q141303j1112LX1p=@2b1c4117>a1b1f1n1l2Z5018>a1b1f1n1l2c3Z5015>a1b1f1n1221b1028>a1b1f1n1l2k4Z\
        5029>a1b1f1n1^2l2k4Z5066>a1b1f1n1Z5115>a1b1f1n1086>a1b1f1n1Z5045>a1b1f1n1:42>b1215>a1b1f1n1052f1n1115>a1b1f1n1\
        423b1f1n1021b1i242f1n1312f1n1j216>a1b1f1n1Z5012f1n1c4@1b1P1V11b1912b1c4`1X11b1h1a11b1?<1b1c111b1h2I1b1:51b1P3O\
        1b1`cL12LX1`482b1Y2X93@MO^1`1R2T2V2a2j2k2R3Q4T4_4l4Q503?MO^1`1R2T2V2a2k2R3Q4T4_4l4Q502;MO^1`1R2V2a2k2T4_4l401<\
        MO^1`1R2V2a2k2Q4T4_4l401;MO^1`1R2V2a2k2T4_4l4g513;MQ5112Mb4j113m1Y2P3P512Al1^kD223V3b5123i4:123i4W225>a1b1f1n1\
        j856>a1b1f1n1Z5:12f1n1]122f1n1P;23JK]2012K]24]13Kp2]2392K]2P=L23Ifo112d2_3^P212p1b4112p1b4g122p1b4cT322p1b4112\
        p1b4pVW141Q1le5B1b1nf721b1
        """
}
