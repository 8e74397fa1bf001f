const hexadecimal = /^#?[0-9a-f]{6,}$/i

/**
 * The words of an identifier of code: `Miles_per_Gallon`, `milesPerGallon`, `miles.per.gallon` are `Miles per Gallon`,
 * `miles Per Gallon`, `miles per gallon`. Names with digits such as `log2FC` and `p53` stay as they are. Colors and
 * hashes have no words.
 */
export function splitIdentifier(identifier: string): string {
  if (hexadecimal.test(identifier) && /\d/.test(identifier)) return ''
  return identifier
    .slice(0, 200)
    .replace(/[_.$:/\\-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/\s+/g, ' ')
    .trim()
}
