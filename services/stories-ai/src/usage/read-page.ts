import { pageSize } from '@figbase/kit/db'
import type { UsagePage, UsageRow } from '../queries/ai-usage.js'
import { decodeKey, encodeKey } from './page-token.js'

type Request = { pageSize: number; pageToken: string }

/** Reads a page of usage, with the totals of it and of all pages after it. */
export async function readPage(request: Request, list: (page: UsagePage) => Promise<UsageRow[]>) {
  const limit = pageSize(request.pageSize)
  const rows = await list({ after: decodeKey(request.pageToken), limit: limit + 1 })
  const page = rows.slice(0, limit).map(toItem)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    inputTokens: rows[0]?.input_tokens_left ?? 0n,
    outputTokens: rows[0]?.output_tokens_left ?? 0n,
    items: page,
    nextPageToken: last ? encodeKey(last) : '',
  }
}

const toItem = (row: UsageRow) => ({
  period: row.period,
  username: row.username,
  workspaceId: row.workspace_id,
  model: row.model,
  route: row.route,
  requests: row.requests,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  estimatedTokens: row.estimated_tokens,
})
