import { Code } from '@connectrpc/connect'

/** The HTTP status of each RPC error code. */
export const statusOf = {
  [Code.Canceled]: 499,
  [Code.Unknown]: 500,
  [Code.InvalidArgument]: 400,
  [Code.DeadlineExceeded]: 504,
  [Code.NotFound]: 404,
  [Code.AlreadyExists]: 409,
  [Code.PermissionDenied]: 403,
  [Code.ResourceExhausted]: 429,
  [Code.FailedPrecondition]: 409,
  [Code.Aborted]: 409,
  [Code.OutOfRange]: 400,
  [Code.Unimplemented]: 501,
  [Code.Internal]: 500,
  [Code.Unavailable]: 503,
  [Code.DataLoss]: 500,
  [Code.Unauthenticated]: 401,
} satisfies Record<Code, number>

/** Errors with a status that differs from that of their RPC code. */
export const statusOfError: Record<string, number> = {
  version_mismatch: 412,
  too_large: 413,
  task_finished: 400,
  upload_locked: 423,
  ai_failed: 502,
  allowance_exhausted: 402,
  idempotency_key_reused: 422,
}
