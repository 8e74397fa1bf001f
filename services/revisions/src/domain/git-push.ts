import { createHmac, timingSafeEqual } from 'node:crypto'

type Headers = Record<string, string>

/** How far the clock of a sender may differ, for senders that sign the time. */
const clockSecondsMax = 300

/**
 * Whether the sender knows the secret: GitHub and Gitea sign the body; GitLab sends the secret, or signs id, time and
 * body as in Standard Webhooks if the secret is a signing token (`whsec_…`).
 */
export function isSignedPush(headers: Headers, body: Uint8Array, secret: string): boolean {
  const github = headers['x-hub-signature-256']
  if (github !== undefined) return isEqual(github, `sha256=${hexOf(secret, body)}`)
  const gitea = headers['x-gitea-signature']
  if (gitea !== undefined) return isEqual(gitea, hexOf(secret, body))
  if (headers['webhook-signature'] !== undefined) return isSignedByStandard(headers, body, secret)
  const gitlab = headers['x-gitlab-token']
  return gitlab !== undefined && isEqual(gitlab, secret)
}

function isSignedByStandard(headers: Headers, body: Uint8Array, secret: string): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '' } = headers
  const seconds = Number(time)
  if (!(Math.abs(Date.now() / 1000 - seconds) <= clockSecondsMax)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64')
  const signatures = (headers['webhook-signature'] ?? '').split(' ')
  return signatures.some((signature) => isEqual(signature, `v1,${signed}`))
}

const hexOf = (secret: string, body: Uint8Array) =>
  createHmac('sha256', secret).update(body).digest('hex')

/** In constant time, whatever the lengths. */
function isEqual(sent: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(sent), digest(expected))
}

const eventHeaders = ['x-github-event', 'x-gitea-event', 'x-gitlab-event']
const pushEvents = ['push', 'push hook', 'tag push hook']

/** Whether somebody has pushed to this branch, or a tag. False for other events, and for what was deleted. */
export function isPushOf(branch: string, headers: Headers, body: Uint8Array): boolean {
  const event = eventHeaders.map((name) => headers[name]).find((value) => value !== undefined)
  if (!pushEvents.includes(event?.toLowerCase() ?? '')) return false
  const { ref, after } = parsed(body) ?? {}
  if (typeof ref !== 'string' || (typeof after === 'string' && /^0+$/.test(after))) return false
  return ref === `refs/heads/${branch}` || ref.startsWith('refs/tags/')
}

/** GitHub can also send a form with the JSON in one field. */
function parsed(body: Uint8Array): { ref?: unknown; after?: unknown } | undefined {
  const text = Buffer.from(body).toString()
  const json = text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
