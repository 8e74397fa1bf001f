import { DriverFailed } from '../port.js'

/** The API server refused a request. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** A word of the API, such as `AlreadyExists`; empty if it sent none. */
  readonly reason: string

  constructor(status: number, reason: string, message: string) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

/** The API server did not respond. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

export const isStatus = (error: unknown, ...statuses: number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status)

/** The body of an error response, of which nothing is certain. */
export function toApiError(status: number, body: string): ApiError {
  const { reason = '', message = body.slice(0, detailCharsMax) } = parseStatus(body)
  return new ApiError(status, reason, message || `the API server responded with ${status}`)
}

const detailCharsMax = 300

function parseStatus(body: string): { reason?: string; message?: string } {
  try {
    const status: unknown = JSON.parse(body)
    return typeof status === 'object' && status !== null ? status : {}
  } catch {
    return {}
  }
}

/** Whether the same request would be refused again: what it asks for is not allowed here, or not now. */
export const isRefusal = (error: unknown): boolean => isStatus(error, 400, 403, 404, 422)

/** What the owner of an instance reads; other errors are left as they are. */
export function toDriverFailed(error: unknown): unknown {
  if (error instanceof Unreachable) {
    return new DriverFailed('The Kubernetes cluster cannot be reached.', { cause: error })
  }
  if (!(error instanceof ApiError)) return error
  return new DriverFailed(sentenceOf(error).slice(0, detailCharsMax), { cause: error })
}

function sentenceOf({ status, message }: ApiError): string {
  const quota = /exceeded quota: (.*)/s.exec(message)?.[1]
  if (quota) return `The quota of the cluster is exhausted: ${quota}`
  switch (status) {
    case 401:
      return 'The Kubernetes cluster refuses the credentials of Figbase.'
    case 403:
      return `The Kubernetes cluster does not permit it: ${message}`
    case 404:
      return `The Kubernetes cluster lacks something: ${message}`
    case 409:
      return 'The notebook is being changed by others; it will be tried again.'
    case 400:
    case 422:
      return `The Kubernetes cluster refuses the notebook: ${message}`
    default:
      return `The Kubernetes cluster is overloaded or has failed: ${message}`
  }
}
