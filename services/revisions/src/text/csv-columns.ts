import papaparse from 'papaparse'

/** The cells of the first row, one per line. Empty if the bytes are not text. */
export function csvColumns(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes)
  if (text.includes('\0')) return ''
  const [row = []] = papaparse.parse<string[]>(text, { preview: 1, skipEmptyLines: true }).data
  return row
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join('\n')
}
