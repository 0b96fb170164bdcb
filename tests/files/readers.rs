//! The cost of reading a particle file grows with its size and no faster: memory by a count of what
//! is allocated, time by a measurement that is left to be asked for:
//! `cargo test --release --test files readers -- --ignored`.

use hashfall_input::{AttributeFilter, Format, read};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Write;

/// Counts the bytes that a thread asks for.
struct Counting;

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

fn count(size: usize) {
    // While a thread ends, nothing is counted.
    let _ = ALLOCATED.try_with(|allocated| allocated.set(allocated.get() + size));
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How much larger the second file of each kind is.
const GROWTH: usize = 16;

type Make = fn(usize) -> Vec<u8>;

/// A kind of file in two sizes: with many particles, and with much of what stands beside them.
const KINDS: [(&str, Format, Make); 14] = [
    ("text", Format::Xyz, text),
    ("raw triples", Format::Xyz, |n| raw(n, f32::to_le_bytes)),
    ("legacy text", Format::VtkLegacy, |n| legacy(n, "ASCII", &text(n))),
    ("legacy binary", Format::VtkLegacy, |n| legacy(n, "BINARY", &raw(n, f32::to_be_bytes))),
    ("legacy arrays", Format::VtkLegacy, |n| {
        let array = |i| format!("a{i} 1 1 int\n1\n");
        let head = format!("POINT_DATA 1\nFIELD f {n}\n");
        [legacy(1, "ASCII", b"0 0 0\n"), many(n, head, array).into_bytes()].concat()
    }),
    ("polygons, text", Format::Ply, |n| ply(n, "ascii", "", &text(n))),
    ("polygons, binary", Format::Ply, |n| {
        ply(n, "binary_little_endian", "", &raw(n, f32::to_le_bytes))
    }),
    ("polygons, properties", Format::Ply, |n| {
        let properties = many(n, String::new(), |i| format!("property int p{i}\n"));
        ply(1, "ascii", &properties, ("0 0 0".to_owned() + &" 7".repeat(n)).as_bytes())
    }),
    ("XML, text", Format::VtkXml, |n| {
        xml(n, "", &format!("format=\"ascii\">{}", String::from_utf8(text(n)).unwrap()), "", b"")
    }),
    ("XML, raw", Format::VtkXml, |n| {
        let data = raw(n, f32::to_le_bytes);
        let length = (data.len() as u32).to_le_bytes();
        xml(n, "", "format=\"appended\" offset=\"0\">", "", &[&length[..], &data].concat())
    }),
    ("XML, zlib", Format::VtkXml, |n| {
        let data = raw(n, f32::to_le_bytes);
        let packed = zlib(&data);
        let numbers = [1, data.len() as u32, 0, packed.len() as u32].map(u32::to_le_bytes);
        let head = "compressor=\"vtkZLibDataCompressor\"";
        let appended = [&numbers.concat()[..], &packed].concat();
        xml(n, head, "format=\"appended\" offset=\"0\">", "", &appended)
    }),
    ("XML, arrays", Format::VtkXml, |n| {
        let array =
            |i| format!("<DataArray type=\"Int8\" Name=\"a{i}\" format=\"ascii\">1</DataArray>");
        xml(1, "", "format=\"ascii\">0 0 0", &many(n, String::new(), array), b"")
    }),
    ("XML, pieces", Format::VtkXml, |n| {
        let file = xml(1, "", "format=\"ascii\">0 0 0", "", b"");
        let file = String::from_utf8(file).unwrap();
        let start = file.find("<Piece").unwrap();
        let end = file.find("</PolyData>").unwrap();
        [&file[..start], &file[start..end].repeat(n), &file[end..]].concat().into_bytes()
    }),
    ("classic geometry", Format::Bgeo, |n| {
        let mut bytes = b"BgeoV\0\0\0\x05".to_vec();
        for number in [n as u32, 0, 0, 0, 0, 0, 0, 0] {
            bytes.extend(number.to_be_bytes());
        }
        for place in raw(n, f32::to_be_bytes).chunks(12) {
            bytes.extend(place);
            bytes.extend(1f32.to_be_bytes());
        }
        bytes
    }),
];

/// Coordinates with all their digits.
fn coordinates(n: usize) -> impl Iterator<Item = f32> {
    (0..3 * n).map(|i| (i as f32 * 0.7).sin())
}

fn text(n: usize) -> Vec<u8> {
    let words: Vec<String> = coordinates(n).map(|x| x.to_string()).collect();
    words.chunks(3).map(|row| row.join(" ") + "\n").collect::<String>().into_bytes()
}

fn raw(n: usize, encode: fn(f32) -> [u8; 4]) -> Vec<u8> {
    coordinates(n).flat_map(encode).collect()
}

fn many(n: usize, mut text: String, of: impl Fn(usize) -> String) -> String {
    (0..n).for_each(|i| text += &of(i));
    text
}

fn legacy(n: usize, encoding: &str, data: &[u8]) -> Vec<u8> {
    let head = "# vtk DataFile Version 3.0\n\n";
    let head = format!("{head}{encoding}\nDATASET POLYDATA\nPOINTS {n} float\n");
    [head.as_bytes(), data, b"\n"].concat()
}

fn ply(n: usize, encoding: &str, more: &str, data: &[u8]) -> Vec<u8> {
    let axes = "property float x\nproperty float y\nproperty float z\n";
    let head = format!("ply\nformat {encoding} 1.0\nelement vertex {n}\n{axes}{more}end_header\n");
    [head.as_bytes(), data].concat()
}

fn xml(n: usize, file: &str, data: &str, arrays: &str, appended: &[u8]) -> Vec<u8> {
    let head = format!(
        "<VTKFile type=\"PolyData\" {file}><PolyData><Piece NumberOfPoints=\"{n}\"><PointData>\
         {arrays}</PointData><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" \
         {data}</DataArray></Points></Piece></PolyData><AppendedData encoding=\"raw\">_"
    );
    [head.as_bytes(), appended, b"</AppendedData></VTKFile>"].concat()
}

fn zlib(data: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(data).unwrap();
    packer.finish().unwrap()
}

#[test]
fn readers_allocate_in_proportion_to_their_files() {
    for (kind, format, make) in KINDS {
        let [small, large] = [300, 300 * GROWTH].map(|n| {
            let file = make(n);
            let before = ALLOCATED.get();
            read(&file, format, &AttributeFilter::All).unwrap_or_else(|e| panic!("{kind}: {e}"));
            let allocated = ALLOCATED.get() - before;
            // Vectors that grow ask for twice what they hold, each time anew.
            assert!(
                allocated < 100 * file.len() + 100_000,
                "{kind}: {allocated} of {}",
                file.len()
            );
            allocated
        });
        assert!(large < 2 * GROWTH * small, "{kind}: {small} and {large} bytes");
    }
}

#[test]
fn arrays_without_tuples_allocate_no_more_than_4096_attributes_take() {
    let n = 2000;
    let fields = many(n, String::new(), |i| format!("a{i} 1024 0 int\n"));
    let same = "a 1024 0 int\n".repeat(n);
    let head = format!("POINT_DATA 0\nFIELD f {n}\n");
    let legacy = |fields: &str| [legacy(0, "ASCII", b""), (head.clone() + fields).into()].concat();
    let array = |i| format!("<DataArray type=\"Int8\" Name=\"a{i}\" NumberOfComponents=\"1024\"/>");
    let arrays = many(n, String::new(), array);
    for (file, format, count) in [
        (legacy(&fields), Format::VtkLegacy, 4096),
        (legacy(&same), Format::VtkLegacy, 1024),
        (xml(0, "", "format=\"ascii\">", &arrays, b""), Format::VtkXml, 4096),
    ] {
        let before = ALLOCATED.get();
        let cloud = read(&file, format, &AttributeFilter::All).unwrap();
        let allocated = ALLOCATED.get() - before;
        assert_eq!(cloud.attributes.len(), count);
        assert!(cloud.unreadable.iter().any(|it| it.reason.contains("more than 4096 components")));
        assert!(allocated < 16 << 20, "{allocated}");
    }
}

/// The time that this thread has had of a processor, which other programs do not lengthen.
#[cfg(target_os = "linux")]
fn cpu_time() -> std::time::Duration {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    std::time::Duration::from_nanos(schedule.split(' ').next().unwrap().parse().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "it measures time: run it alone, with --release"]
fn readers_take_time_in_proportion_to_their_files() {
    for (kind, format, make) in KINDS {
        // The system counts in ticks, so both sizes are read until they add up to many.
        let [small, large] = [(20_000, 4 * GROWTH), (20_000 * GROWTH, 4)].map(|(n, repeats)| {
            let file = make(n);
            let start = cpu_time();
            for _ in 0..repeats {
                read(&file, format, &AttributeFilter::All).unwrap();
            }
            (cpu_time() - start) / repeats as u32
        });
        println!("{kind}: {small:?}, {large:?}");
        // Quadratic work would take 256 times as long; caches cost less than 8 times.
        let limit = small.max(std::time::Duration::from_micros(100)) * 8 * GROWTH as u32;
        assert!(large < limit, "{kind}: {small:?} and {large:?}");
    }
}
