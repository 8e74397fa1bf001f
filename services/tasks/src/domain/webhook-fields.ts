import { isIP } from 'node:net'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { isPublicAddress } from '@figbase/kit/net'
import { WebhookFormat, WebhookPayload } from '@figbase/proto/webhooks'
import type { WebhookFormat as Format, WebhookPayload as Payload } from '../db/schema.js'
import { isSubscribable } from './webhook-events.js'

const urlCharsMax = 2000
const eventsMax = 100
const objectsMax = 100

export function checkedUrl(text: string, hostsAllowed: string[]): string {
  const isTooLong = text.length > urlCharsMax
  const url = isTooLong || !URL.canParse(text) ? undefined : new URL(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw invalid('url', `must be an http or https URL of at most ${urlCharsMax} characters`)
  }
  if (url.username || url.password) throw invalid('url', 'must not contain a user or password')
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  const isAllowed = [url.hostname, url.host].some((name) => hostsAllowed.includes(name))
  if (isIP(host) && !isAllowed && !isPublicAddress(host))
    throw invalid('url', 'must be on the public Internet')
  url.hash = ''
  return url.href
}

export function checkedEvents(names: string[]): string[] {
  if (names.length === 0) throw invalid('events', 'must have at least one item')
  if (names.length > eventsMax) throw invalid('events', `must have at most ${eventsMax} items`)
  if (!names.every(isSubscribable))
    throw invalid('events', 'must be names of events, such as figure.created, figure.* or *')
  return [...new Set(names)]
}

export function checkedObjects(ids: string[]): string[] {
  if (ids.length > objectsMax) throw invalid('objects', `must have at most ${objectsMax} items`)
  if (!ids.every(isUuid)) throw invalid('objects', 'must be UUIDs')
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}

const formats: Partial<Record<WebhookFormat, Format>> = {
  [WebhookFormat.JSON]: 'json',
  [WebhookFormat.SLACK]: 'slack',
  [WebhookFormat.MATTERMOST]: 'mattermost',
  [WebhookFormat.TEAMS]: 'teams',
}
const payloads: Partial<Record<WebhookPayload, Payload>> = {
  [WebhookPayload.THIN]: 'thin',
  [WebhookPayload.FULL]: 'full',
}

/** Undefined for UNSPECIFIED. */
export function checkedFormat(format: WebhookFormat): Format | undefined {
  if (format === WebhookFormat.UNSPECIFIED) return undefined
  const known = formats[format]
  if (!known) throw invalid('format', 'is unknown')
  return known
}

/** Undefined for UNSPECIFIED. */
export function checkedPayload(payload: WebhookPayload): Payload | undefined {
  if (payload === WebhookPayload.UNSPECIFIED) return undefined
  const known = payloads[payload]
  if (!known) throw invalid('payload', 'is unknown')
  return known
}

const keyOf = <Name extends string>(names: Partial<Record<number, Name>>, name: Name) =>
  Number(Object.entries(names).find(([, one]) => one === name)?.[0] ?? 0)

export const toFormat = (format: Format): WebhookFormat => keyOf(formats, format)
export const toPayload = (payload: Payload): WebhookPayload => keyOf(payloads, payload)
