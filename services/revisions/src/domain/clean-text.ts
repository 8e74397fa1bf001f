/** A text that PostgreSQL can store, with at most `bytesMax` bytes of UTF-8. It is cut between characters. */
export function cleanText(text: string, bytesMax: number): string {
  // Also replaces invalid Unicode.
  const bytes = Buffer.from(text.replaceAll('\0', '').trim())
  let end = bytesMax
  while (isContinued(bytes[end])) end--
  return bytes.toString('utf8', 0, end)
}

/** Whether a byte continues a UTF-8 character. */
const isContinued = (byte = 0) => (byte & 0xc0) === 0x80
