//! Files read back by another implementation, the crate hdf5-pure.

use super::*;
use crate::testing::{Memory, random};

#[test]
fn another_reader_finds_the_same_numbers_in_one_chunk_and_in_thousands() {
    let mut next = random(11);
    for (rows, blocks, level) in [(0, 1, 1), (5, 3, 0), (64, 64, 0), (70, 300, 1), (300, 40, 9)] {
        let mut target = Memory::default();
        let mut file = File::new("a.h5".to_owned());
        let (mut vectors, mut whole) = (Vec::new(), Vec::new());
        let mut positions = GrowingArray::new(NumberType::F32, Some(3), 1, level);
        let mut numbers = GrowingArray::new(NumberType::I64, None, 1, level);
        let mut wide = GrowingArray::new(NumberType::F64, None, rows, level);
        for _ in 0..blocks {
            let block: Vec<f32> = (0..3 * rows).map(|_| next() as f32).collect();
            let bytes: Vec<u8> = block.iter().flat_map(|x| x.to_le_bytes()).collect();
            positions.append(&bytes, &mut file, &mut target).unwrap();
            vectors.extend(block);
            for k in 0..rows as i64 {
                whole.push(k * k - 7);
                numbers.append(&(k * k - 7).to_le_bytes(), &mut file, &mut target).unwrap();
                wide.append(&(k as f64).to_le_bytes(), &mut file, &mut target).unwrap();
            }
        }
        let count = (rows * blocks) as u64;
        assert_eq!((positions.rows(), numbers.rows()), (count, count));
        let attributes = vec![
            ("Type", AttributeValue::Text("PolyData")),
            ("Version", AttributeValue::Numbers(vec![2, 0])),
            ("NSteps", AttributeValue::Number(-3)),
        ];
        let (mut root, mut inner) = (Group::default(), Group::new(attributes));
        inner.add("Points", Node::Array(positions));
        inner.add("ids", Node::Array(numbers));
        inner.add("wide", Node::Array(wide));
        root.add("VTKHDF", Node::Group(inner));
        file.finish(root, &mut target).unwrap();
        let read = hdf5_pure::File::from_bytes(target.files["a.h5"].clone()).unwrap();
        let points = read.dataset("VTKHDF/Points").unwrap();
        assert_eq!(points.shape().unwrap(), [count, 3]);
        assert_eq!(points.read_f32().unwrap(), vectors, "{rows} rows, {blocks} times");
        assert_eq!(read.dataset("VTKHDF/ids").unwrap().read_i64().unwrap(), whole);
        assert_eq!(read.dataset("VTKHDF/wide").unwrap().read_f64().unwrap().len(), whole.len());
        let attributes = read.group("VTKHDF").unwrap().attrs().unwrap();
        let shown = |name: &str| format!("{:?}", attributes[name]);
        assert!(shown("Type").contains("PolyData"), "{}", shown("Type"));
        assert!(shown("Version").contains("2, 0") && shown("NSteps").contains("-3"));
    }
}

#[test]
fn compression_makes_smooth_numbers_smaller() {
    let length = |level| {
        let mut target = Memory::default();
        let mut file = File::new("a.h5".to_owned());
        let mut array = GrowingArray::new(NumberType::F32, None, 4096, level);
        let bytes: Vec<u8> = (0..8192).flat_map(|k| (k as f32 * 0.01).to_le_bytes()).collect();
        array.append(&bytes, &mut file, &mut target).unwrap();
        let mut root = Group::default();
        root.add("x", Node::Array(array));
        file.finish(root, &mut target).unwrap();
        target.files["a.h5"].len()
    };
    assert!(length(1) * 3 < length(0) * 2, "{} of {}", length(1), length(0));
}
