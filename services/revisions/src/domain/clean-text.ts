/** A text as PostgreSQL stores it, with so many bytes of UTF-8 at most, cut between characters. */
export function cleanText(text: string, bytesMax: number): string {
  const clean = text.replaceAll('\0', '').trim()
  // Also mends what is no Unicode.
  const bytes = Buffer.from(clean)
  if (bytes.length <= bytesMax) return bytes.toString()
  let end = bytesMax
  while (end > 0 && isContinued(bytes[end])) end--
  return bytes.toString('utf8', 0, end)
}

/** Whether a byte is not the first of its character. */
const isContinued = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80
