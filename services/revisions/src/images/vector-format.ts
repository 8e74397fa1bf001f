import { isSvg } from './is-svg.js'

/** Formats that are rendered in a child process. */
export type VectorFormat = 'svg' | 'pdf' | 'eps'

const headBytes = 64
/** A byte order mark and white space may precede it. */
const pdf = /^[^\w%]*%PDF-/
/** An EPS with a preview. */
const epsWithPreview = '\xc5\xd0\xd3\xc6'

/** Decides by the bytes alone. Undefined for other formats. */
export function vectorFormatOf(bytes: Buffer): VectorFormat | undefined {
  if (isSvg(bytes)) return 'svg'
  const head = bytes.toString('latin1', 0, headBytes)
  if (pdf.test(head)) return 'pdf'
  return head.startsWith('%!PS') || head.startsWith(epsWithPreview) ? 'eps' : undefined
}
