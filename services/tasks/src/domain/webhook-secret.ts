import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

/** A new secret in the form of Standard Webhooks. */
export const newSecret = (): string => `${prefix}${randomBytes(secretBytes).toString('base64')}`

/** The headers of Standard Webhooks: a signature with each secret, over the id, the time and the body. */
export function signedHeaders(
  id: string,
  seconds: number,
  body: string,
  secrets: string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}
