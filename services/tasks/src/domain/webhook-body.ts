import type { WebhookFormat, WebhookPayload } from '../db/schema.js'
import { chatMessage } from './chat-message.js'
import type { EventData, ObjectType } from './webhook-events.js'

/** What a full payload says about the object, as the API does. */
export type FullObject = {
  name: string
  description: string | null
  created_by: string
  created_on: string | null
  updated_by: string | null
  updated_on: string | null
}

export type BodyOptions = {
  event: string
  data: EventData
  /** Undefined: it no longer exists. */
  object: FullObject | undefined
  /** Of a comment. */
  content: string | undefined
  format: WebhookFormat
  payload: WebhookPayload
  /** The address of this installation. */
  baseUrl: string
}

/** The body of a delivery. */
export function bodyOf(options: BodyOptions): string {
  const { format } = options
  const body = format === 'json' ? standardBody(options) : chatMessage(options, format)
  return JSON.stringify(body)
}

function standardBody({ event, data, object, content, payload, baseUrl }: BodyOptions) {
  const { at, object: about, ...ids } = data
  const thin = {
    ...ids,
    object: { api_id: about.id, type: about.type },
    links: linksOf(about.type, about.id, baseUrl),
  }
  const full = {
    ...thin,
    ...(content !== undefined && { content }),
    object: { ...thin.object, ...nameOf(about.name), ...object },
  }
  return { type: event, timestamp: at, data: payload === 'full' ? full : thin }
}

const nameOf = (name: string | undefined) => (name === undefined ? {} : { name })

function linksOf(type: ObjectType, id: string, baseUrl: string) {
  return { api: `${baseUrl}/api/v1/${type}/${id}/`, page: pageOf(type, id, baseUrl) }
}

/** The address of the page of an object. */
export const pageOf = (type: ObjectType, id: string, baseUrl: string): string =>
  `${baseUrl}/${type}/${id}/`
