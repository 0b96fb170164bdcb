//! Pictures of eight bits per channel, and PNG.

use std::io::Cursor;

/// A picture in sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width and height \[pixels\].
    pub size: [u32; 2],
    /// Red, green and blue of each pixel, row by row from the top.
    pub rgb: Vec<u8>,
}

/// Why bytes cannot be read as a picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// Not a valid PNG.
    #[error("{0}")]
    NoPng(#[from] png::DecodingError),
    /// A PNG with other channels than those written here.
    #[error("the PNG does not have three channels of eight bits")]
    OtherKind,
}

impl Picture {
    /// A black picture.
    pub fn new(size: [u32; 2]) -> Picture {
        let [width, height] = size.map(|side| side as usize);
        Picture { size, rgb: vec![0; 3 * width * height] }
    }

    /// The picture as a PNG.
    pub fn png(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.rgb.len() / 3);
        let [width, height] = self.size;
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_filter(png::Filter::Paeth);
        let mut writer = encoder.write_header().expect("a picture has a size, and memory takes it");
        writer.write_image_data(&self.rgb).expect("a picture has three bytes a pixel");
        drop(writer);
        bytes
    }

    /// Reads a PNG that [`Picture::png`] wrote.
    ///
    /// # Errors
    /// If the bytes are not such a PNG.
    pub fn from_png(bytes: &[u8]) -> Result<Picture, PictureError> {
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info()?;
        let info = reader.info();
        if (info.color_type, info.bit_depth) != (png::ColorType::Rgb, png::BitDepth::Eight) {
            return Err(PictureError::OtherKind);
        }
        let mut picture = Picture::new([info.width, info.height]);
        reader.next_frame(&mut picture.rgb)?;
        Ok(picture)
    }

    /// The picture in a smaller size: each pixel is the mean of the pixels that it covers.
    pub fn downscaled(&self, size: [u32; 2]) -> Picture {
        if size == self.size {
            return self.clone();
        }
        let [columns, rows] = [0, 1].map(|axis| shares(self.size[axis], size[axis]));
        let mut picture = Picture::new(size);
        let width = self.size[0] as usize;
        let mut row_sum = vec![0.0_f32; 3 * width];
        for (out, rows) in picture.rgb.chunks_exact_mut(3 * size[0] as usize).zip(&rows) {
            row_sum.fill(0.0);
            for &(y, part) in rows {
                let row = &self.rgb[3 * width * y..][..3 * width];
                row_sum.iter_mut().zip(row).for_each(|(sum, &v)| *sum += part * f32::from(v));
            }
            for (pixel, columns) in out.chunks_exact_mut(3).zip(&columns) {
                for (channel, value) in pixel.iter_mut().enumerate() {
                    let of = |&(x, part): &(usize, f32)| part * row_sum[3 * x + channel];
                    *value = (columns.iter().map(of).sum::<f32>() + 0.5) as u8;
                }
            }
        }
        picture
    }
}

/// For each of `to` places along a side of `from` pixels: what it covers, and the parts of its
/// mean.
fn shares(from: u32, to: u32) -> Vec<Vec<(usize, f32)>> {
    let scale = f64::from(from) / f64::from(to);
    (0..to)
        .map(|k| {
            let (low, high) = (f64::from(k) * scale, f64::from(k + 1) * scale);
            let pixels = low as usize..(high.ceil() as usize).min(from as usize);
            let part = |x: usize| high.min((x + 1) as f64) - low.max(x as f64);
            pixels.map(|x| (x, (part(x) / scale) as f32)).collect()
        })
        .collect()
}
