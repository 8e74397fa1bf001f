/** A request that is sent repeatedly. */
export type Target = {
  method: 'GET' | 'POST'
  paths: string[]
  headers: Record<string, string>
  bodies?: Uint8Array[]
  /** The position and encoding of the PNG tail in the body; each request gets a different tail. */
  tail?: { at: number; encoding: 'base64' | 'latin1' }
  status: number
  /** An upload that is sent first, with the tail in its body; its URL replaces `uploadMark` in the main body. */
  upload?: { path: string; headers: Record<string, string>; body: Uint8Array }
}

export const uploadMark = '$UPLOAD'

export type LoadJob = {
  kind: 'load'
  origin: string
  target: Target
  concurrency: number
  seconds: number
}
export type LoadResult = { requests: number; seconds: number; p50Ms: number; p99Ms: number }

/** Publishes images in sequence, and waits for each thumbnail. */
export type ThumbnailJob = {
  kind: 'thumbnail'
  origin: string
  target: Target
  times: number
}
export type ThumbnailResult = { publishedMs: number[]; thumbnailMs: number[] }

/** Publishes files of this size concurrently. */
export type UploadJob = {
  kind: 'upload'
  origin: string
  headers: Record<string, string>
  figure: string
  bytes: number
  times: number
}
export type UploadResult = { seconds: number; objects: string[] }

/** Downloads data objects concurrently. */
export type DownloadJob = {
  kind: 'download'
  origin: string
  headers: Record<string, string>
  objects: string[]
}
export type DownloadResult = { seconds: number; bytes: number }

export type Job = LoadJob | ThumbnailJob | UploadJob | DownloadJob
export type ResultOf<J extends Job> = J extends LoadJob
  ? LoadResult
  : J extends ThumbnailJob
    ? ThumbnailResult
    : J extends UploadJob
      ? UploadResult
      : DownloadResult

export const api = '/api/v1.4.1'
