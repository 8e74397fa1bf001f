import type { MessageInitShape } from '@bufbuild/protobuf'
import type { DeadSchema } from '@figbase/proto/operations'
import type { Kysely } from 'kysely'
import { isTimestamp, toTimestamp } from '../db/time.js'
import { invalid } from '../errors/errors.js'
import { deleteDeadLetters, listDeadLetters, replayDeadLetters } from '../events/dead-letters.js'
import { isUuid } from '../ids.js'
import { deleteDeadJobs, listDeadJobs, replayDeadJobs } from '../jobs/dead.js'

type Page = { items: MessageInitShape<typeof DeadSchema>[]; nextPageToken: string }

/** Dead letters or dead jobs. An empty id means all; changes return the number of those found. */
export type DeadItems = {
  list(limit: number, pageToken: string): Promise<Page>
  retry(id: string): Promise<number>
  drop(id: string): Promise<number>
}

const errorCharsMax = 300

/** Without the stack. */
const firstLineOf = (error: string) => (error.split('\n')[0] ?? '').slice(0, errorCharsMax)

/** The id is that of the event, and the consumer. */
export function deadEvents(db: Kysely<unknown>): DeadItems {
  return {
    async list(limit, pageToken) {
      const rows = await listDeadLetters(db, limit + 1, letterAt(pageToken))
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      return {
        items: page.map((row) => ({
          id: `${row.event_id} ${row.consumer}`,
          name: row.consumer,
          event: row.event,
          key: row.key,
          attempts: row.attempts,
          error: firstLineOf(row.error),
          diedOn: toTimestamp(row.died_on),
        })),
        nextPageToken: last ? tokenOf([last.died_on, last.event_id, last.consumer]) : '',
      }
    },
    retry: async (id) => replayDeadLetters(db, letterKey(id)),
    drop: async (id) => deleteDeadLetters(db, letterKey(id)),
  }
}

function letterKey(id: string) {
  if (!id) return null
  const [eventId = '', consumer = ''] = id.split(' ')
  if (!isUuid(eventId)) throw invalid('id', 'is not the id of a dead letter')
  return { eventId, consumer }
}

const tokenOf = (values: string[]) => Buffer.from(JSON.stringify(values)).toString('base64url')

function letterAt(pageToken: string) {
  if (!pageToken) return undefined
  try {
    const values = JSON.parse(Buffer.from(pageToken, 'base64url').toString()) as unknown[]
    const [died_on, event_id, consumer] = values
    const isKey = isTimestamp(died_on) && typeof event_id === 'string' && isUuid(event_id)
    if (isKey && typeof consumer === 'string' && !consumer.includes('\0')) {
      return { died_on, event_id, consumer }
    }
  } catch {
    // Falls through to the error below.
  }
  throw invalid('page_token', 'is not a page token of this list')
}

export function deadJobs(db: Kysely<unknown>): DeadItems {
  return {
    async list(limit, pageToken) {
      const rows = await listDeadJobs(db, limit + 1, jobId('page_token', pageToken) ?? 0n)
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      return {
        items: page.map((row) => ({
          id: row.id.toString(),
          name: row.name,
          key: row.key ?? '',
          attempts: row.attempts,
          error: firstLineOf(row.error),
          diedOn: toTimestamp(row.ended_on),
        })),
        nextPageToken: last ? last.id.toString() : '',
      }
    },
    retry: async (id) => replayDeadJobs(db, jobId('id', id)),
    drop: async (id) => deleteDeadJobs(db, jobId('id', id)),
  }
}

function jobId(field: string, text: string): bigint | null {
  if (!text) return null
  if (!/^\d{1,18}$/.test(text)) throw invalid(field, 'is not the id of a dead job')
  return BigInt(text)
}
