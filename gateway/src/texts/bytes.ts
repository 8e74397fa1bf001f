const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** Formats sizes such as `1.4 MB`. */
export function bytesFormat(locale: string): (bytes: bigint | number) => string {
  const formatOf = (unit: string, more: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, ...more })
  const small = formatOf('byte', { unitDisplay: 'long' })
  const one = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  const formats = units.map((unit) => ({
    withFraction: formatOf(unit, one),
    whole: formatOf(unit, { maximumFractionDigits: 0 }),
  }))
  return (bytes) => {
    let value = Number(bytes)
    if (value < 1000) return small.format(value)
    let format = formats[0]
    for (const next of formats) {
      value /= 1000
      format = next
      // From 999.5 on, rounding would give 1000: use the next unit.
      if (value < 999.5) break
    }
    return (value < 9.95 ? format?.withFraction : format?.whole)?.format(value) ?? ''
  }
}
