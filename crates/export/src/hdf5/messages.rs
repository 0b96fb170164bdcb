//! Messages of object headers.
//!
//! Source: *HDF5 File Format Specification Version 3.0*, IV.A. Numbers are little-endian, offsets
//! and lengths of 8 bytes. Object headers are of version 1, which has no checksums.

/// No address.
pub const UNDEFINED: u64 = u64::MAX;

/// The type of an array's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberType {
    F32,
    F64,
    I32,
    I64,
}

impl NumberType {
    /// Bytes of a number.
    pub fn size(self) -> usize {
        match self {
            NumberType::F32 | NumberType::I32 => 4,
            NumberType::F64 | NumberType::I64 => 8,
        }
    }

    /// The datatype message.
    fn datatype(self) -> Vec<u8> {
        let size = self.size() as u32;
        let float = |sign: u8, exponent: [u8; 2], mantissa: u8, bias: u32| {
            // Class 1; the mantissa's highest bit is implied.
            let mut bytes = vec![0x11, 0x20, sign, 0];
            bytes.extend(size.to_le_bytes());
            bytes.extend([0, 0]);
            bytes.extend((8 * size as u16).to_le_bytes());
            bytes.extend([exponent[0], exponent[1], 0, mantissa]);
            bytes.extend(bias.to_le_bytes());
            bytes
        };
        match self {
            NumberType::F32 => float(31, [23, 8], 23, 127),
            NumberType::F64 => float(63, [52, 11], 52, 1023),
            NumberType::I32 | NumberType::I64 => {
                // Class 0, signed.
                let mut bytes = vec![0x10, 0x08, 0, 0];
                bytes.extend(size.to_le_bytes());
                bytes.extend([0, 0]);
                bytes.extend((8 * size as u16).to_le_bytes());
                bytes
            }
        }
    }
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeValue {
    /// ASCII of a fixed length.
    Text(&'static str),
    /// A number.
    Number(i64),
    /// Numbers.
    Numbers(Vec<i64>),
}

/// A message: its type and its data.
pub type Message = (u16, Vec<u8>);

/// The header of an object with this number of links to it.
pub fn object_header(messages: &[Message], links: usize) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, data) in messages {
        let length = data.len().next_multiple_of(8);
        body.extend(kind.to_le_bytes());
        body.extend((length as u16).to_le_bytes());
        body.extend([0; 4]);
        body.extend(data);
        body.resize(body.len() + length - data.len(), 0);
    }
    let mut header = vec![1, 0];
    header.extend((messages.len() as u16).to_le_bytes());
    header.extend((links as u32).to_le_bytes());
    header.extend((body.len() as u32).to_le_bytes());
    header.extend([0; 4]);
    header.extend(body);
    header
}

/// The message that holds the shape of an array, which may grow along its first axis.
pub fn dataspace(shape: &[u64], grows: bool) -> Message {
    let mut data = vec![1, shape.len() as u8, u8::from(grows), 0, 0, 0, 0, 0];
    shape.iter().for_each(|length| data.extend(length.to_le_bytes()));
    if grows {
        data.extend(UNDEFINED.to_le_bytes());
        shape.iter().skip(1).for_each(|length| data.extend(length.to_le_bytes()));
    }
    (0x0001, data)
}

/// The message of a type of numbers.
pub fn datatype(kind: NumberType) -> Message {
    (0x0003, kind.datatype())
}

/// The message that leaves what is not written at 0.
pub fn fill_value() -> Message {
    // Space is allocated chunk by chunk; the default value, of no bytes, is 0.
    (0x0005, vec![2, 3, 2, 1, 0, 0, 0, 0])
}

/// The message of an array in chunks, whose index is at an address.
pub fn chunked_layout(tree: u64, chunk: &[u64], kind: NumberType) -> Message {
    let mut data = vec![3, 2, chunk.len() as u8 + 1];
    data.extend(tree.to_le_bytes());
    chunk.iter().for_each(|length| data.extend((*length as u32).to_le_bytes()));
    data.extend((kind.size() as u32).to_le_bytes());
    (0x0008, data)
}

/// The message of shuffled bytes that are deflated.
pub fn filters(kind: NumberType, level: u32) -> Message {
    let mut data = vec![2, 2];
    // Shuffle is filter 2, deflate 1; a reader may do without neither.
    for (filter, value) in [(2_u16, kind.size() as u32), (1, level)] {
        data.extend(filter.to_le_bytes());
        data.extend(0_u16.to_le_bytes());
        data.extend(1_u16.to_le_bytes());
        data.extend(value.to_le_bytes());
    }
    (0x000b, data)
}

/// The message of a named attribute.
pub fn attribute(name: &str, value: &AttributeValue) -> Message {
    let scalar = dataspace(&[], false).1;
    let number = NumberType::I64.datatype();
    let (kind, space, bytes) = match value {
        AttributeValue::Text(text) => {
            // Class 3, padded with zeros, ASCII.
            let mut kind = vec![0x13, 0x01, 0, 0];
            kind.extend((text.len() as u32).to_le_bytes());
            (kind, scalar, text.as_bytes().to_vec())
        }
        AttributeValue::Number(value) => (number, scalar, value.to_le_bytes().to_vec()),
        AttributeValue::Numbers(values) => {
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            (number, dataspace(&[values.len() as u64], false).1, bytes)
        }
    };
    let mut data = vec![3, 0];
    for length in [name.len() + 1, kind.len(), space.len()] {
        data.extend((length as u16).to_le_bytes());
    }
    data.push(0);
    data.extend(name.as_bytes());
    data.push(0);
    data.extend(kind);
    data.extend(space);
    data.extend(bytes);
    (0x000c, data)
}

/// The messages that make an object a group without an index of its links.
pub fn group() -> [Message; 2] {
    let mut links = vec![0, 0];
    links.extend(UNDEFINED.to_le_bytes());
    links.extend(UNDEFINED.to_le_bytes());
    [(0x0002, links), (0x000a, vec![0, 0])]
}

/// The message of a link in a group. Names have up to 255 bytes.
pub fn link(name: &str, header: u64) -> Message {
    let mut data = vec![1, 0, name.len() as u8];
    data.extend(name.as_bytes());
    data.extend(header.to_le_bytes());
    (0x0006, data)
}
