export type FloorSettings = {
  databaseUrl: string
  /** Where it keeps what is published. */
  dir: string
  /** The analysis in which it publishes. */
  parent: string
  thumbnail: Uint8Array
}
