const formats = new Map<string, Intl.NumberFormat>()

function formatOf(locale: string, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  formats.set(key, format)
  return format
}

/** The number of digits after the point of amounts in a currency, of which its minor unit is the last. */
export const digitsOf = (currency: string): number =>
  formatOf('en', currency).resolvedOptions().maximumFractionDigits ?? 2

/** An amount of minor units in the form of a locale: `€12.50`. */
export const moneyFormat =
  (locale: string) =>
  (minor: bigint, currency: string): string =>
    formatOf(locale, currency).format(Number(minor) / 10 ** digitsOf(currency))
