import sharp from 'sharp'

/** Pictures for tests, drawn without fonts, so that they are the same on every machine. */
const width = 400
const height = 300

export const draw = (content: string, background = '#fff'): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
        <rect width="${width}" height="${height}" fill="${background}"/>${content}</svg>`,
    ),
  )
    .png()
    .toBuffer()

/** Axes with ticks, and grid lines, as charts of one program have them in common. */
const axes = [
  '<path d="M50 15V250H385" fill="none" stroke="#888"/>',
  ...[0, 1, 2, 3, 4].map(
    (i) => `<path d="M50 ${250 - 55 * i}H385" stroke="#ddd"/>
      <rect x="24" y="${245 - 55 * i}" width="18" height="9" fill="#333"/>`,
  ),
].join('')

/** Values from 0 to 1. */
export const barChart = (values: number[], colour = '#4c78a8'): Promise<Buffer> =>
  draw(
    axes +
      values
        .map((value, i) => {
          const step = 330 / values.length
          const top = 250 - 220 * value
          return `<rect x="${55 + i * step}" y="${top}" width="${step * 0.8}" height="${250 - top}" fill="${colour}"/>
            <rect x="${55 + i * step}" y="258" width="${4 + ((i * 7) % 13)}" height="8" fill="#333"/>`
        })
        .join(''),
  )

/** Values from 0 to 1. */
export const lineChart = (values: number[]): Promise<Buffer> => {
  const points = values.map(
    (value, i) => `${55 + (i * 325) / (values.length - 1)},${250 - 220 * value}`,
  )
  return draw(
    `${axes}<polyline points="${points.join(' ')}" fill="none" stroke="#4c78a8" stroke-width="2"/>`,
  )
}

export const scatter = (points: [number, number][]): Promise<Buffer> =>
  draw(
    axes +
      points
        .map(
          ([x, y]) => `<circle cx="${60 + 320 * x}" cy="${245 - 220 * y}" r="5" fill="#e45756"/>`,
        )
        .join(''),
  )

export const figures = {
  bars: () => barChart([0.2, 0.5, 0.9, 0.4, 0.7, 0.3]),
  otherBars: () => barChart([0.8, 0.3, 0.4, 0.9, 0.2, 0.6]),
  line: () => lineChart([0.1, 0.5, 0.3, 0.8, 0.6, 0.9, 0.2]),
  otherLine: () => lineChart([0.9, 0.6, 0.7, 0.3, 0.4, 0.1, 0.5]),
  points: () => scatter([0.1, 0.3, 0.35, 0.5, 0.62, 0.8, 0.9].map((x) => [x, (x * 7.3) % 1])),
}

/** A browser window around a picture. */
export async function inWindow(picture: Buffer): Promise<Buffer> {
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="440">
    <rect width="480" height="440" fill="#dee1e6"/><rect y="70" width="480" height="370" fill="#fff"/>
    <circle cx="18" cy="20" r="6" fill="#f00"/><circle cx="38" cy="20" r="6" fill="#0b0"/>
    <rect x="70" y="38" width="380" height="24" rx="10" fill="#fff"/><rect x="84" y="46" width="190" height="8"/></svg>`
  return sharp(Buffer.from(frame))
    .composite([{ input: picture, left: 30, top: 95 }])
    .png()
    .toBuffer()
}
