//! Content of other kinds than a file's name says, and Houdini's classic geometry.

use super::*;

#[test]
fn other_content_is_named_whatever_the_extension() {
    let utf16: Vec<u8> =
        "\u{feff}0 0.5 1\n".encode_utf16().flat_map(|unit| unit.to_le_bytes()).collect();
    for (bytes, what) in [
        (&b"\x1f\x8b\x08\0\0"[..], "gzip"),
        (b"PK\x03\x04\0\0", "ZIP"),
        (b"\x28\xb5\x2f\xfd\0", "Zstandard"),
        (b"BZh91AY&SY\0", "bzip2"),
        (b"\x89HDF\r\n\x1a\n", "HDF5"),
        (&utf16, "UTF-16"),
        (&utf16[2..], "UTF-16"),
    ] {
        for format in [Format::VtkLegacy, Format::VtkXml, Format::Ply, Format::Xyz] {
            assert_fault(bytes, format, &[what]);
        }
    }
}

#[test]
fn classic_geometry_is_read_plain_and_packed() {
    let mut bytes = b"BgeoV\0\0\0\x05\0\0\0\x03".to_vec();
    for count in [0u32, 0, 0, 3, 0, 0, 0] {
        bytes.extend(count.to_be_bytes());
    }
    bytes.extend(b"\0\x02id\0\x01\0\0\0\x01\0\0\0\0");
    bytes.extend(b"\0\x01v\0\x03\0\0\0\x05\0\0\0\0\0\0\0\0\0\0\0\0");
    bytes.extend(b"\0\x04name\0\x01\0\0\0\x04\0\0\0\x01\0\x01a");
    for (i, place) in coordinates().chunks(3).enumerate() {
        bytes.extend(big_endian(place));
        bytes.extend(big_endian(&[1.0]));
        bytes.extend((i as i32 - 1).to_be_bytes());
        bytes.extend(big_endian(&[1.0, 2.0, 3.0]));
        bytes.extend(0u32.to_be_bytes());
    }
    bytes.extend(b"\0\xff");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packer, &bytes).unwrap();
    for file in [&bytes, &packer.finish().unwrap()] {
        let cloud = good(file, Format::Bgeo);
        assert_eq!(cloud.positions, points());
        assert_eq!(*attribute(&cloud, "id"), integers(&[-1, 0, 1]));
        let v = vec![Vec3::new(1.0, 2.0, 3.0); 3];
        assert_eq!(*attribute(&cloud, "v"), Values::Vectors(v.into()));
        assert_eq!(reason(&cloud, "name"), "it holds text");
    }
    for length in 0..bytes.len() - 2 {
        fault(&bytes[..length], Format::Bgeo);
    }
    let early = ["byte 47: ", "4 bytes for the type of an attribute, 3 bytes are left"];
    assert_fault(
        &bytes[..bytes.iter().position(|&b| b == b'd').unwrap() + 6],
        Format::Bgeo,
        &early,
    );
    assert_fault(b"\x7fNSJb\0\0", Format::Bgeo, &["Houdini 12"]);
    assert_fault(b"PGEOMETRY V5", Format::Bgeo, &["expected classic geometry"]);
}
