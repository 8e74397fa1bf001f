export type FloorSettings = {
  databaseUrl: string
  /** The directory for published files. */
  dir: string
  /** The file to serve for downloads. */
  file: string
  /** The analysis to publish to. */
  parent: string
  thumbnail: Uint8Array
}
