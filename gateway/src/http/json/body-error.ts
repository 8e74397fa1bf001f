export type BodyErrorCode = 'malformed' | 'invalid' | 'too_large'

/**
 * What is wrong with a request body: `field` is the path of the member (`data[2].data`), empty when
 * the body as a whole is at fault (always so when `malformed`); `reason` is a sentence for people.
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
