//! Every instruction set gives the bits of plain arithmetic.

use super::*;
use crate::Real;

/// Sums, products, quotients and roots that need every bit.
#[derive(Clone, Copy)]
struct Roots([Real; LANES]);

impl WithSimd for Roots {
    type Output = Real;

    #[inline(always)]
    fn run<I: Simd>(self, _: I) -> Real {
        let Roots(x) = self;
        let mut sums = [0.0; LANES];
        for _ in 0..100 {
            for l in 0..LANES {
                sums[l] += (x[l] * x[l] + sums[l]).sqrt() / (1.0 + x[l]);
            }
        }
        sum_lanes(sums)
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let roots = Roots(std::array::from_fn(|l| 1.0 / (l as Real + 1.0)));
    let wanted = roots.run(Baseline).to_bits();
    for isa in Isa::available() {
        assert_eq!(isa.run(roots).to_bits(), wanted, "{isa:?}");
    }
}

struct Transpose<const W: usize>([[Real; W]; 8]);

impl<const W: usize> WithSimd for Transpose<W> {
    type Output = [[Real; 8]; W];

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) -> [[Real; 8]; W] {
        simd.transpose(self.0.each_ref()).map(F32x8::to_array)
    }
}

fn assert_transposes<const W: usize>() {
    for isa in Isa::available() {
        let rows = std::array::from_fn(|r| std::array::from_fn(|c| (10 * r + c) as Real));
        let columns = isa.run(Transpose::<W>(rows));
        for (r, c) in (0..8 * W).map(|k| (k / W, k % W)) {
            assert_eq!(columns[c][r], rows[r][c], "{isa:?}");
        }
    }
}

#[test]
fn every_instruction_set_turns_rows_into_columns() {
    assert_transposes::<4>();
    assert_transposes::<8>();
}

/// What can be done with eight numbers.
#[derive(Clone, Copy)]
struct Sums([Real; 8]);

impl WithSimd for Sums {
    type Output = [[Real; 8]; 12];

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) -> [[Real; 8]; 12] {
        let (x, two) = (simd.load(&self.0), simd.splat(2.0));
        let all = [
            x + two,
            x - two,
            x * x,
            two / x,
            x * 3.0,
            x.select_negative(two),
            x.map(|x| x.abs().sqrt()),
            x.splat(5.0),
            simd.load_partial(5, &self.0),
            (x * x).sqrt(),
            x.max(two),
            two.splat(x.mask_above(two * 0.0).into()),
        ];
        all.map(F32x8::to_array)
    }
}

#[test]
fn every_instruction_set_computes_with_eight_numbers() {
    let x: [Real; 8] = [-3.5, -0.0, 0.0, 1e-7, 2.0, Real::MAX, -1e30, 7.1];
    let wanted = [
        x.map(|x| x + 2.0),
        x.map(|x| x - 2.0),
        x.map(|x| x * x),
        x.map(|x| 2.0 / x),
        x.map(|x| x * 3.0),
        x.map(|x| if x < 0.0 { 2.0 } else { 0.0 }),
        x.map(|x| x.abs().sqrt()),
        [5.0; 8],
        std::array::from_fn(|l| if l < 5 { x[l] } else { 0.0 }),
        x.map(|x| (x * x).sqrt()),
        x.map(|x| x.max(2.0)),
        [0b1011_1000 as Real; 8],
    ];
    let bits = |all: [[Real; 8]; 12]| all.map(|eight| eight.map(Real::to_bits));
    for isa in Isa::available() {
        assert_eq!(bits(isa.run(Sums(x))), bits(wanted), "{isa:?}");
    }
}

/// What can be done with two rows of four numbers.
struct Rows([[Real; 4]; 2]);

impl WithSimd for Rows {
    type Output = [[Real; 8]; 8];

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) -> [[Real; 8]; 8] {
        let [first, second] = &self.0;
        let x = simd.rows(first, second);
        let sums = x.add_rows();
        let all = [
            x,
            simd.splat_rows(first[1], second[2]),
            x.rotate_left(),
            x.rotate_right(),
            x.splat_fourth(),
            x.with_fourth(simd.rows(second, first)),
            simd.rows(&sums, &sums),
            simd.whole_rows(&(x * -3001.5).to_whole_rows()),
        ];
        all.map(F32x8::to_array)
    }
}

#[test]
fn every_instruction_set_computes_with_two_rows() {
    let wanted: [[Real; 8]; 8] = [
        [1.0, 2.0, 3.0, 4.0, 5.5, 6.5, 7.5, 8.5],
        [2.0, 2.0, 2.0, 2.0, 7.5, 7.5, 7.5, 7.5],
        [2.0, 3.0, 1.0, 4.0, 6.5, 7.5, 5.5, 8.5],
        [3.0, 1.0, 2.0, 4.0, 7.5, 5.5, 6.5, 8.5],
        [4.0, 4.0, 4.0, 4.0, 8.5, 8.5, 8.5, 8.5],
        [1.0, 2.0, 3.0, 8.5, 5.5, 6.5, 7.5, 4.0],
        [6.5, 8.5, 10.5, 12.5, 6.5, 8.5, 10.5, 12.5],
        [-3002.0, -6003.0, -9004.0, -12006.0, -16508.0, -19510.0, -22511.0, -25513.0],
    ];
    for isa in Isa::available() {
        let rows = Rows([[1.0, 2.0, 3.0, 4.0], [5.5, 6.5, 7.5, 8.5]]);
        assert_eq!(isa.run(rows), wanted, "{isa:?}");
    }
}

struct AddWeighted([u16; LANES], [u16; LANES], u16);

impl WithSimd for AddWeighted {
    type Output = [u16; LANES];

    #[inline(always)]
    fn run<I: Simd>(self, on: I) -> [u16; LANES] {
        let AddWeighted(a, b, part) = self;
        let mut sums = a;
        on.add_weighted(&mut sums, &a, &b, part);
        sums
    }
}

#[test]
fn every_instruction_set_adds_parts_and_stops_at_the_largest_number() {
    let a = std::array::from_fn(|l| (l * 4001) as u16);
    let b = std::array::from_fn(|l| (u16::MAX as usize - l * l * 31) as u16);
    for part in [0, 1, 777, 0x8000, u16::MAX] {
        let wanted: [u16; LANES] = std::array::from_fn(|l| {
            let sum = (u64::from(a[l]) + u64::from(b[l])).min(0xffff);
            (u64::from(a[l]) + sum * u64::from(part) / 0x1_0000).min(0xffff) as u16
        });
        for isa in Isa::available() {
            assert_eq!(isa.run(AddWeighted(a, b, part)), wanted, "{isa:?}");
        }
    }
}

#[test]
fn lanes_add_up() {
    assert_eq!(sum_lanes::<LANES>(std::array::from_fn(|l| l as Real)), 120.0);
}
