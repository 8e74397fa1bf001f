import { type Html, html } from '@figbase/kit/text'
import type { MonthlyTokens } from '@figbase/proto/ai-usage'
import type { ListContributionsResponse_Day as Day } from '@figbase/proto/catalog'
import type { MonthlyUsage } from '@figbase/proto/catalog/plans'
import type { MonthlySeconds } from '@figbase/proto/compute'
import type { Texts } from '../../texts/texts.js'
import { monthPlot } from './plot.js'

const monthsMax = 12

/** The tokens that AI used in each month. */
export function aiPlot(texts: Texts, months: MonthlyTokens[]): Html {
  const bars = months.map(({ period, inputTokens, outputTokens }) => {
    const value = Number(inputTokens + outputTokens)
    return { period, value, shown: texts.number(value) }
  })
  return monthPlot(texts, texts.t('usage.tokens'), bars)
}

/** The hours that compute instances ran in each month. */
export function computePlot(texts: Texts, months: MonthlySeconds[]): Html {
  const bars = months.map(({ period, billableSeconds }) => ({
    period,
    value: Number(billableSeconds),
    shown: hoursOf(texts, billableSeconds),
  }))
  return monthPlot(texts, texts.t('usage.hours'), bars)
}

/** Seconds as hours with one decimal. */
export const hoursOf = ({ number }: Texts, seconds: bigint): string =>
  number(Math.round(Number(seconds) / 360) / 10)

/** The activities in a workspace or an organization in each month. */
export function activitiesPlot(texts: Texts, months: MonthlyUsage[]): Html {
  const bars = months.map(({ period, activities }) => ({
    period,
    value: Number(activities),
    shown: texts.number(activities),
  }))
  return monthPlot(texts, texts.t('usage.activities'), bars)
}

/** The most that was stored in each month. */
export function storedPlot(texts: Texts, months: MonthlyUsage[]): Html {
  const bars = months.map(({ period, storedBytes }) => ({
    period,
    value: Number(storedBytes),
    shown: texts.bytes(storedBytes),
  }))
  return monthPlot(texts, texts.t('usage.stored'), bars)
}

/** The activities in each of the last months that the days cover. */
export function activityPlot(texts: Texts, days: Day[]): Html {
  const counts = new Map<string, number>()
  for (const { date, count } of days) {
    const period = date.slice(0, 7)
    counts.set(period, (counts.get(period) ?? 0) + count)
  }
  const bars = [...counts]
    .slice(-monthsMax)
    .map(([period, value]) => ({ period, value, shown: texts.number(value) }))
  return monthPlot(texts, texts.t('usage.activity'), bars)
}

/** In place of a part whose service is unavailable. */
export const unavailable = ({ t }: Texts, title: Html): Html =>
  html`<h2>${title}</h2><p class="quiet">${t('usage.unavailable')}</p>`
