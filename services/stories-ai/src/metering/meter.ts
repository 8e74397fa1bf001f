import { Code } from '@connectrpc/connect'
import { failureWith } from '@figbase/kit/errors'
import type { Ctx } from '../context.js'
import type { Payer } from '../insight/payer.js'
import type { Tokens } from '../model/port.js'
import {
  extendRequest,
  getQuotaState,
  insertRequest,
  type Settlement,
  settleRequests,
} from '../queries/ai-requests.js'
import { countRequest } from './rate.js'

/** A row that is not extended for so long belongs to a process that ended. */
const marginMs = 60_000
const extendEveryMs = 2000
const settleEveryMs = 2000

/** One request to a provider in the ledger: written before it is sent, settled after it ended. */
export type Meter = {
  /** Does not fail. If the database is unavailable, it is repeated until the row expires. */
  settle(settlement: Settlement): Promise<void>
}

type Request = { model: string; route: string; inputTokens: number }

/**
 * 429 if the plan allows no more requests in this minute, or too few tokens in this month. Until it is settled, the
 * row notes the number of `outputTokens`.
 */
export async function openMeter(
  ctx: Ctx,
  payer: Payer,
  request: Request,
  outputTokens: () => number,
): Promise<Meter> {
  await countRequest(ctx.aiRate, payer)
  const id = ctx.newOrderedId()
  const { tokensPerMonthMax: quota } = payer
  const limits = { quota, lifetimeMs: marginMs }
  if (!(await ctx.write((db) => insertRequest(db, { id, ...payer, ...request }, limits)))) {
    throw await quotaExceeded(ctx, payer, request.inputTokens)
  }
  const endsAt = performance.now() + ctx.cfg.ai.timeoutMs
  const stop = repeat(extendEveryMs, async () => {
    await extendRequest(ctx.db, id, outputTokens(), marginMs)
    return performance.now() > endsAt
  })
  return {
    async settle(settlement) {
      stop()
      const attempt = () => ctx.write((db) => settleRequests(db, [id], settlement))
      try {
        await attempt()
      } catch (err) {
        ctx.log.error({ err, id }, 'settling an AI request failed; it is repeated')
        const giveUpAt = performance.now() + marginMs
        repeat(settleEveryMs, () =>
          attempt().then(
            () => true,
            () => performance.now() > giveUpAt,
          ),
        )
      }
    },
  }
}

/** Runs `work` again and again until it returns true. */
function repeat(everyMs: number, work: () => Promise<boolean>): () => void {
  let isRunning = false
  const timer = setInterval(async () => {
    if (isRunning) return
    isRunning = true
    if (await work().catch(() => false)) clearInterval(timer)
    isRunning = false
  }, everyMs).unref()
  return () => clearInterval(timer)
}

export const tokensLeft = (quota: bigint, used: bigint, reserved: bigint): bigint => {
  const left = quota - used - reserved
  return left > 0n ? left : 0n
}

async function quotaExceeded({ db }: Ctx, { holderId, tokensPerMonthMax }: Payer, needed: number) {
  const { usedTokens, reservedTokens, secondsLeft } = await getQuotaState(db, holderId)
  const left = tokensLeft(tokensPerMonthMax ?? 0n, usedTokens, reservedTokens)
  const text = `the plan has ${left} of ${tokensPerMonthMax} AI tokens left in this month, and this request takes about ${needed}; the quota renews in ${daysText(secondsLeft)}`
  const detail = { error: 'ai_quota_exceeded', retryAfterSeconds: secondsLeft }
  return failureWith(Code.ResourceExhausted, text, detail)
}

export function daysText(seconds: number): string {
  const days = Math.ceil(seconds / 86_400)
  return days === 1 ? '1 day' : `${days} days`
}

/** A settlement with known tokens. */
type Cost = Settlement & Record<'inputTokens' | 'outputTokens' | 'estimatedTokens', number>

/** What a request costs that ended, or that its user left. */
export function costOf(
  reported: Partial<Tokens>,
  estimated: { inputTokens: number; outputTokens(): number },
): Cost {
  const inputTokens = reported.input ?? estimated.inputTokens
  const outputTokens = reported.output ?? estimated.outputTokens()
  const estimatedTokens =
    (reported.input === undefined ? inputTokens : 0) +
    (reported.output === undefined ? outputTokens : 0)
  return { inputTokens, outputTokens, estimatedTokens, isCounted: true }
}

/** A failure of the provider costs nothing. */
export const free: Cost = {
  inputTokens: 0,
  outputTokens: 0,
  estimatedTokens: 0,
  isCounted: false,
}
