export type BodyErrorCode = 'malformed' | 'invalid' | 'too_large'

/**
 * An invalid request body. `field` is the path of the member (`data[2].data`), empty for the body as a
 * whole (always when `malformed`); `reason` is a sentence for people.
 */
export class BodyError extends Error {
  constructor(
    readonly field: string,
    readonly reason: string,
    readonly code: BodyErrorCode,
  ) {
    super(field === '' ? reason : `${field}: ${reason}`)
    this.name = 'BodyError'
  }
}
