/** The headers of successful responses that a route declares. */
export type ResponseHeader =
  | 'Content-Disposition'
  | 'ETag'
  | 'Link'
  | 'Location'
  | 'Tus-Resumable'
  | 'Upload-Defer-Length'
  | 'Upload-Expires'
  | 'Upload-Length'
  | 'Upload-Metadata'
  | 'Upload-Offset'
  | 'X-Limit'
  | 'X-Total-Count'

/** The headers of every response. To keep the document small, only those with errors list them. */
export const commonHeaders = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
]

const integer = { type: 'integer', minimum: 0 }
const text = { type: 'string' }

const header = (description: string, schema: object = text) => ({ description, schema })

/** All headers that responses refer to. */
export const headerComponents: Record<string, object> = {
  'Content-Disposition': header('The name of the file.'),
  ETag: header('The version of the object or of the bytes, for `If-Match` and `If-None-Match`.'),
  Link: header('The address of the next page of a list, with `rel="next"`.'),
  Location: header('The path of the new object.'),
  RateLimit: header('How many requests are left (`r`), for how many seconds (`t`).'),
  'RateLimit-Policy': header('How many requests are allowed (`q`) in how many seconds (`w`).'),
  'RateLimit-Limit': header('How many requests the caller may make in a minute.', integer),
  'RateLimit-Remaining': header('How many of them are left in this minute.', integer),
  'RateLimit-Reset': header('After how many seconds the minute ends.', integer),
  'Retry-After': header('After how many seconds to try again.', integer),
  'Tus-Resumable': header('The version of the protocol tus.'),
  'Upload-Defer-Length': header('`1` while the length of the upload is unknown.'),
  'Upload-Expires': header('Until when the upload can be continued.'),
  'Upload-Length': header('The length of the upload, in bytes.', integer),
  'Upload-Metadata': header('The metadata of the upload, as the client sent it.'),
  'Upload-Offset': header('How many bytes of the upload were received.', integer),
  'X-Limit': header('The maximum number of items that was applied.', integer),
  'X-Total-Count': header('How many items the list has; only for HEAD.', integer),
  'X-Request-Id': header('The id of the request in the log of the server.'),
}

/** References to headers of a response. */
export const headerRefs = (names: string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
