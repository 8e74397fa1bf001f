/** The text of a data object cannot be had; the message is for people. */
export class TextError extends Error {
  override name = 'TextError'
}
