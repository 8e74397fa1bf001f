const charsMax = 60

/** A name without characters that a file system or an unpacking program treats specially. */
export function safeName(name: string, fallback: string): string {
  const safe = [...name.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')]
    .slice(0, charsMax)
    .join('')
    .replaceAll(/^-+|-+$/g, '')
  // Windows reserves these names, also with an extension.
  const isReserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(safe)
  return safe === '' || isReserved ? fallback : safe
}
