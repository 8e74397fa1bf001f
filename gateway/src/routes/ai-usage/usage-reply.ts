import type { UsageItem } from '@figbase/proto/ai-usage'
import { z } from 'zod'
import { type Input, ok, type Reply } from '../../endpoint.js'
import { csvContentType, csvOf, wantsCsv } from '../../http/csv.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { usageItemSchema, usageItemShape } from '../../shapes/ai-usage.js'
import { iteratePages } from '../pagination.js'

export const usageQuery = {
  period: z
    .string()
    .optional()
    .meta({ description: 'A month in UTC, `YYYY-MM`; default: this month.' }),
  format: z
    .enum(['json', 'csv'], 'must be json or csv')
    .optional()
    .meta({ description: 'Default: what `Accept` prefers.' }),
}

type Query = { period?: string | undefined; format?: 'json' | 'csv' | undefined }

export type UsagePage = {
  period: string
  inputTokens: bigint
  outputTokens: bigint
  items: UsageItem[]
  nextPageToken: string
}

/** The same URL serves JSON and CSV. */
const vary = { vary: 'Accept, Accept-Encoding' }
const columns = usageItemSchema.keyof().options

/** Usage as JSON with `more` members, or as CSV. The items after the `first` page are read while they are sent. */
export function usageReply(
  { query, headers }: Pick<Input<unknown, Query>, 'query' | 'headers'>,
  first: UsagePage,
  read: (pageToken: string) => Promise<UsagePage>,
  more: object = {},
): Reply {
  const { period, inputTokens, outputTokens } = first
  const items = itemsOf(first, read)
  if (query.format ? query.format === 'csv' : wantsCsv(headers)) {
    const disposition = { 'content-disposition': `attachment; filename="ai-usage-${period}.csv"` }
    const chunks = csvOf(columns, items)
    return { status: 200, chunks, type: csvContentType, headers: { ...vary, ...disposition } }
  }
  const totals = { input_tokens: Number(inputTokens), output_tokens: Number(outputTokens) }
  return ok({ period, ...totals, ...more, items: new JsonArrayStream(items) }, vary)
}

async function* itemsOf(first: UsagePage, read: (pageToken: string) => Promise<UsagePage>) {
  for await (const item of iteratePages(read, first)) yield usageItemShape(item)
}
