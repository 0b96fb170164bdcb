//! Numbers of half precision (IEEE 754 binary16).

/// The bits of the nearest number of half precision, of two the even one; beyond 65504 infinity.
pub fn half_bits(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = ((bits >> 16) & 0x8000) as u16;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    // 65520 and above round to infinity.
    if magnitude >= 0x477f_f000 {
        return sign | 0x7c00;
    }
    // Below 2⁻¹⁴ numbers are multiples of 2⁻²⁴: adding ½ leaves such a multiple in the mantissa.
    if magnitude < 0x3880_0000 {
        let rounded = f32::from_bits(magnitude) + 0.5;
        return sign | (rounded.to_bits() - 0.5_f32.to_bits()) as u16;
    }
    // The exponent's bias falls from 127 to 15; 13 bits go, half of the last one up to even.
    let odd = (magnitude >> 13) & 1;
    let rounded = magnitude - (112 << 23) + 0xfff + odd;
    sign | (rounded >> 13) as u16
}

#[cfg(test)]
mod tests {
    use super::half_bits;

    fn value(bits: u16) -> f64 {
        let (exponent, mantissa) = (i32::from((bits >> 10) & 31), f64::from(bits & 1023));
        let size = match exponent {
            0 => mantissa * 2_f64.powi(-24),
            31 => f64::INFINITY,
            _ => (1.0 + mantissa / 1024.0) * 2_f64.powi(exponent - 15),
        };
        if bits & 0x8000 == 0 { size } else { -size }
    }

    #[test]
    fn every_half_is_itself_and_between_two_the_nearer_is_taken() {
        for bits in 0..0x7c00_u16 {
            let (low, high) = (value(bits), value(bits + 1).min(65536.0));
            assert_eq!(half_bits(low as f32), bits);
            assert_eq!(half_bits(-low as f32), bits | 0x8000);
            for part in [0.25, 0.4999, 0.5, 0.5001, 0.75] {
                let nearer =
                    if part < 0.5 || (part == 0.5 && bits % 2 == 0) { bits } else { bits + 1 };
                assert_eq!(half_bits((low + part * (high - low)) as f32), nearer, "{bits} {part}");
            }
        }
        assert_eq!([half_bits(f32::INFINITY), half_bits(-1e9)], [0x7c00, 0xfc00]);
        assert!(half_bits(f32::NAN) > 0x7c00);
    }
}
