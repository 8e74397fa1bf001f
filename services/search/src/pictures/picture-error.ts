/** The picture cannot be described. The message is for users. */
export class PictureError extends Error {
  override name = 'PictureError'
}
