const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** For example `12.3 MiB`. */
export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
