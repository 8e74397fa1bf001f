import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { isPeriod } from '@figbase/kit/text'
import { z } from 'zod'
import type { UsageKey } from '../queries/ai-usage.js'

/** PostgreSQL stores no NUL. */
const text = z.string().refine((value) => !value.includes('\0'))
const keySchema = z.tuple([
  z.string().refine(isPeriod),
  text,
  z.string().refine(isUuid),
  text,
  text,
])

export function encodeKey({ period, username, workspaceId, model, route }: UsageKey): string {
  const parts = [period, username, workspaceId, model, route]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** The key of the last item before a page; undefined for the first page. */
export function decodeKey(token: string): UsageKey | undefined {
  if (!token) return undefined
  const [period, username, workspaceId, model, route] = parse(token)
  return { period, username, workspaceId, model, route }
}

function parse(token: string) {
  try {
    return keySchema.parse(JSON.parse(Buffer.from(token, 'base64url').toString()))
  } catch {
    throw invalid('page_token', 'is not a page token of this list')
  }
}
