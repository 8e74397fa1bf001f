export type FloorSettings = {
  databaseUrl: string
  /** Where it keeps what is published. */
  dir: string
  /** What it serves as a plain file server does. */
  file: string
  /** The analysis in which it publishes. */
  parent: string
  thumbnail: Uint8Array
}
