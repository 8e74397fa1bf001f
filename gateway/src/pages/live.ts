import { type Html, html } from '@figbase/kit/text'
import { z } from 'zod'
import type { Input, Route } from '../endpoint.js'
import { streamEvents } from '../routes/event/follow-events.js'
import type { Page } from './page.js'

const pastMsMax = 2 ** 32 - 1
const query = z.object({ past_ms: z.coerce.number().int().min(0).max(pastMsMax).default(0) })

/**
 * The live events of the API, for the script of pages: as the user of the session. `past_ms` is how long ago the page was
 * requested, so that no event is lost between that and the connection.
 */
export const liveEvents: Route = {
  method: 'GET',
  path: '/events/',
  since: 'v1',
  auth: 'required',
  acceptsSession: true,
  query,
  handle: (input) =>
    streamEvents(input, { pastMs: (input.query as z.infer<typeof query>).past_ms }),
}

type Followed = {
  /** The id of the part in the page. */
  id: string
  event: 'comment' | 'revision' | 'stale'
  /** The object that the events are about. */
  object: string
  /** What the script says when the part has changed. */
  news: Html
}

/** The attributes of a part of a page that the script replaces after such an event; none for anonymous readers. */
export const followed = ({ username }: Input, { id, event, object, news }: Followed): Html =>
  username === ''
    ? html`id="${id}"`
    : html`id="${id}" data-event="${event}" data-object="${object}" data-news="${news}"`

/** What a page needs whose comments are followed, and have forms, for signed-in readers. */
export const withComments = ({ username }: Input): Pick<Page, 'hasForm' | 'connects'> =>
  username === '' ? {} : { hasForm: true, connects: true }
