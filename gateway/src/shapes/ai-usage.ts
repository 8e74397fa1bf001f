import type { Quota, UsageItem } from '@figbase/proto/ai-usage'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'

const count = z.int().min(0)

/** The requests of one user with one model to one route, paid by one workspace in one month. */
export const usageItemSchema = z
  .object({
    period: z.string().meta({ description: 'A month in UTC, `YYYY-MM`.' }),
    username: z.string(),
    workspace: uuid,
    model: z.string(),
    route: z.string().meta({ description: 'What the request was for.' }),
    requests: count,
    input_tokens: count,
    output_tokens: count,
    estimated_tokens: count.meta({
      description: 'The part of both that the provider of the model did not report.',
    }),
  })
  .meta({
    id: 'AiUsageItem',
    description:
      'The requests of one user with one model to one route, paid by one workspace in one month.',
  })

export const usageItemShape = (item: UsageItem) => ({
  period: item.period,
  username: item.username,
  workspace: item.workspaceId,
  model: item.model,
  route: item.route,
  requests: Number(item.requests),
  input_tokens: Number(item.inputTokens),
  output_tokens: Number(item.outputTokens),
  estimated_tokens: Number(item.estimatedTokens),
})

export const usageSchema = z
  .object({
    period: z.string(),
    input_tokens: count.meta({ description: 'Of all items.' }),
    output_tokens: count.meta({ description: 'Of all items.' }),
    items: z.array(usageItemSchema),
  })
  .meta({ id: 'AiUsage', description: 'The tokens that AI used in a month.' })

export const quotaSchema = z
  .object({ tokens_per_month: count, tokens_left: count, renews_on: datetime })
  .nullable()
  .meta({ description: 'Of the plan that applies now, in this month; null: unlimited.' })

export const quotaShape = (quota: Quota | undefined) =>
  quota
    ? {
        tokens_per_month: Number(quota.tokensPerMonth),
        tokens_left: Number(quota.tokensLeft),
        renews_on: isoOrNull(quota.renewsOn),
      }
    : null
