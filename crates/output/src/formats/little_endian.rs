//! Numbers as the binary files hold them: little endian, whatever the machine.

/// A number that a VTK array or a PLY property can hold.
pub(crate) trait Scalar: Copy {
    /// The type's name in VTK's XML.
    const VTK_TYPE: &'static str;
    /// Appends the value.
    fn put(self, bytes: &mut Vec<u8>);
    /// Writes the value to as many bytes as it has.
    fn write(self, bytes: &mut [u8]);
}

macro_rules! scalar {
    ($($number:ty => $vtk_type:literal),*) => {$(
        impl Scalar for $number {
            const VTK_TYPE: &'static str = $vtk_type;
            #[inline]
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

scalar!(
    f32 => "Float32",
    f64 => "Float64",
    u8 => "UInt8",
    u16 => "UInt16",
    i32 => "Int32",
    u32 => "UInt32",
    i64 => "Int64",
    u64 => "UInt64"
);
