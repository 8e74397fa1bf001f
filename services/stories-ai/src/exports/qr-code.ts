import encodeQR from 'qr'
import sharp from 'sharp'

const pixelsPerModule = 8

/** A PNG of a QR code with its margin. */
export async function qrCode(text: string): Promise<Buffer> {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 2 })
  const width = modules.length
  const pixels = Buffer.from(modules.flatMap((row) => row.map((isDark) => (isDark ? 0 : 255))))
  const side = width * pixelsPerModule
  return sharp(pixels, { raw: { width, height: width, channels: 1 } })
    .resize(side, side, { kernel: 'nearest' })
    .png()
    .toBuffer()
}
