/** The text of a data object cannot be extracted. The message is for users. */
export class TextError extends Error {
  override name = 'TextError'
}
