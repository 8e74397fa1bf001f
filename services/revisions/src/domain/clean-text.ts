/** A text as PostgreSQL stores it, with so many bytes of UTF-8 at most, cut between characters. */
export function cleanText(text: string, bytesMax: number): string {
  // Also mends what is no Unicode.
  const bytes = Buffer.from(text.replaceAll('\0', '').trim())
  let end = bytesMax
  while (isContinued(bytes[end])) end--
  return bytes.toString('utf8', 0, end)
}

/** Whether a byte is not the first of its character; there may be none. */
const isContinued = (byte = 0) => (byte & 0xc0) === 0x80
