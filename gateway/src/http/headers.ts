/** Security headers of every response: no scripts, framing, sniffing or shared caching. */
export const safeHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'private, no-cache',
}

/** The API allows any origin, because credentials come in a header that a page must set itself, never in cookies. */
export const corsHeaders: Record<string, string> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    'Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Location, X-Limit, X-Request-Id',
    'X-Total-Count',
    'Deprecation, Link, RateLimit, RateLimit-Policy, Sunset',
    'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After',
    'Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version',
    'Upload-Defer-Length, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset',
  ].join(', '),
}

export const preflightHeaders: Record<string, string> = {
  'access-control-allow-headers': [
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range',
    'Last-Event-ID, Range',
    'Tus-Resumable, Upload-Concat, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset',
    'X-HTTP-Method-Override, X-Request-Id, X-Requested-With',
  ].join(', '),
  'access-control-max-age': '86400',
}
