/** A request that is sent again and again. */
export type Target = {
  method: 'GET' | 'POST'
  paths: string[]
  headers: Record<string, string>
  bodies?: Uint8Array[]
  /** Where a PNG's tail is in the body, and how it is written: each request gets another. */
  tail?: { at: number; encoding: 'base64' | 'latin1' }
  status: number
  /** Comes first, with the tail in its body; its address is put where `uploadMark` is in the other's. */
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

/** Publishes an image, and waits for its thumbnail; one after the other. */
export type ThumbnailJob = {
  kind: 'thumbnail'
  origin: string
  target: Target
  times: number
}
export type ThumbnailResult = { publishedMs: number[]; thumbnailMs: number[] }

/** Publishes files of that many bytes each, all at once. */
export type UploadJob = {
  kind: 'upload'
  origin: string
  headers: Record<string, string>
  figure: string
  bytes: number
  times: number
}
export type UploadResult = { seconds: number; objects: string[] }

/** Reads data objects back, all at once. */
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
