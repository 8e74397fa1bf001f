/** The text of a picture cannot be recognized. Another attempt fails in the same way. */
export class OcrError extends Error {
  override name = 'OcrError'
}
