//! Files taken apart.

use super::Alembic;
use crate::format::{Format, Options};
use crate::testing::{Memory, run};

/// Reads words and blocks.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn word(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.0[at..at + 8].try_into().unwrap())
    }

    fn group(&self, place: u64) -> Vec<u64> {
        let at = place as usize;
        let count = if place == 0 { 0 } else { self.word(at) as usize };
        (0..count).map(|k| self.word(at + 8 + 8 * k)).collect()
    }

    fn data(&self, place: u64) -> &[u8] {
        assert_eq!(place >> 63, 1, "no data");
        let at = (place & !(1 << 63)) as usize;
        if at == 0 { &[] } else { &self.0[at + 8..at + 8 + self.word(at) as usize] }
    }
}

fn exported(frames: &[u32]) -> Vec<u8> {
    let (run, frames) = run(frames);
    let mut target = Memory::default();
    let options = Options { level: 1, quantise: None, voxel: 0.1, half: false };
    let mut writer = Alembic.writer(&run, &options);
    frames.iter().for_each(|frame| writer.add(frame, &mut target).unwrap());
    writer.finish(&mut target).unwrap();
    target.files.remove("run.abc").unwrap()
}

#[test]
fn objects_and_their_samples_are_where_the_groups_say() {
    let bytes = exported(&[0, 1, 2]);
    assert_eq!(&bytes[..8], b"Ogawa\xff\x00\x01");
    let reader = Reader(&bytes);
    let root = reader.group(reader.word(8));
    assert_eq!((root.len(), reader.data(root[0])), (6, &[0; 4][..]));
    let top = reader.group(root[2]);
    let run = reader.group(top[1]);
    let names = String::from_utf8_lossy(reader.data(*run.last().unwrap())).into_owned();
    let order = ["particles", "surface", "mesh_00", "body_01"].map(|name| names.find(name));
    assert!(order.is_sorted() && order[0].is_some(), "{names:?}");
    // Particles: the compound `.geom`, in it `P` after the bounds, each sample with its shape.
    let shape = |k: usize| reader.group(reader.group(run[k])[1])[0];
    let geometry = reader.group(reader.group(shape(1))[0]);
    let positions = reader.group(geometry[1]);
    assert_eq!(positions.len(), 6);
    let (_, frames) = self::run(&[0, 1, 2]);
    for (k, frame) in frames.iter().enumerate() {
        let sample = reader.data(positions[2 * k]);
        let expected: Vec<u8> = frame.clouds[0]
            .points
            .positions
            .as_flattened()
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        assert_eq!(sample[16..], expected);
    }
    // The surface's triangles are the same in all frames, and stand once, turned over.
    let geometry = reader.group(reader.group(shape(2))[0]);
    let corners = reader.group(geometry[2]);
    assert_eq!(corners.len(), 2);
    let first: Vec<u8> = [0_u32, 4, 2].iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(reader.data(corners[0])[16..28], first);
}

#[test]
fn times_are_steps_or_lists() {
    let times = |frames: &[u32]| {
        let bytes = exported(frames);
        let reader = Reader(&bytes);
        let root = reader.group(reader.word(8));
        reader.data(root[4]).to_vec()
    };
    let number =
        |bytes: &[u8], at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    // After 24 bytes of what does not change: a count, a period, a count, and times.
    let even = times(&[2, 4, 6]);
    assert_eq!((even.len(), even[24], number(&even, 28), even[36]), (48, 3, 0.04, 1));
    assert_eq!(number(&even, 40), 0.04);
    let uneven = times(&[1, 2, 4]);
    assert_eq!((uneven.len(), uneven[24], uneven[36]), (64, 3, 3));
    assert_eq!(number(&uneven, 56), 0.08);
}
