/** Routes whose answer is a secret refuse a key. */
const refused = [
  /^\/(api\/token|api\/v[\d.]+\/(user|api_key|invitations|metadata|upload)|user|api_key|invitations|metadata|upload)\//,
  /\/(webhook|git_repository)\/([^/]+\/rotate_secret\/)?$/,
]

/** Whether the server accepts an `Idempotency-Key` on a POST to this path. */
export const acceptsKey = (path: string): boolean => !refused.some((one) => one.test(path))
