import type { Counted } from './manifest.js'

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** For people: `12.3 MiB`. */
export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

/** `1234 files, 12.3 MiB` */
export const filesText = ({ files, bytes }: Counted): string =>
  `${files} ${files === 1 ? 'file' : 'files'}, ${bytesText(bytes)}`
