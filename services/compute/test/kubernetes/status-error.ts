/** An error response as the API server sends it. */
export class StatusError extends Error {
  readonly code: number
  readonly reason: string

  constructor(code: number, reason: string, message: string) {
    super(message)
    this.code = code
    this.reason = reason
  }

  get body(): object {
    const { code, reason, message } = this
    const fixed = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }
    return { ...fixed, message, reason, code }
  }
}

const group = (plural: string) => (plural === 'networkpolicies' ? 'networking.k8s.io' : '')
const qualified = (plural: string) => `${plural}${group(plural) && `.${group(plural)}`}`

export const notFound = (plural: string, name: string) =>
  new StatusError(404, 'NotFound', `${qualified(plural)} "${name}" not found`)

export const alreadyExists = (plural: string, name: string) =>
  new StatusError(409, 'AlreadyExists', `${qualified(plural)} "${name}" already exists`)

export const conflict = (plural: string, name: string, why: string) =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(plural)} "${name}": ${why}`,
  )

export const changed =
  'the object has been modified; please apply your changes to the latest version and try again'

export const invalid = (kind: string, name: string, why: string) =>
  new StatusError(422, 'Invalid', `${kind} "${name}" is invalid: ${why}`)

export const forbidden = (plural: string, name: string, why: string) =>
  new StatusError(403, 'Forbidden', `${qualified(plural)} "${name}" is forbidden: ${why}`)

export const notPermitted = (verb: string, plural: string, namespace: string) =>
  new StatusError(
    403,
    'Forbidden',
    `${qualified(plural)} is forbidden: User "figbase" cannot ${verb} resource "${plural}" in API group "${group(plural)}" in the namespace "${namespace}"`,
  )

export const expired = (version: number, oldest: number) =>
  new StatusError(410, 'Expired', `too old resource version: ${version} (${oldest})`)

export const unauthorized = () => new StatusError(401, 'Unauthorized', 'Unauthorized')
