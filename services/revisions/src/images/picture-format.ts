import { isDrawing } from './is-drawing.js'

/** What is drawn in a process of its own. */
export type DrawnFormat = 'svg' | 'pdf' | 'eps'

const headBytes = 64
/** A byte order mark and white space may come before it. */
const pdf = /^[^\w%]*%PDF-/
/** Of an EPS with a preview for screens. */
const epsWithPreview = '\xc5\xd0\xd3\xc6'

/** By the bytes alone; undefined: nothing that is drawn. */
export function drawnFormat(bytes: Buffer): DrawnFormat | undefined {
  if (isDrawing(bytes)) return 'svg'
  const head = bytes.toString('latin1', 0, headBytes)
  if (pdf.test(head)) return 'pdf'
  return head.startsWith('%!PS') || head.startsWith(epsWithPreview) ? 'eps' : undefined
}
