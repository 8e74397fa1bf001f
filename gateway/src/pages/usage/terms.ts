import { type Html, html } from '@figbase/kit/text'
import type { Quota } from '@figbase/proto/ai-usage'
import type { PlanTerms, Subscription } from '@figbase/proto/catalog/plans'
import type { Texts } from '../../texts/texts.js'
import { hoursOf } from './months.js'

type Row = { name: Html; text: Html; used?: { value: number; max: number } }

/** What a plan allows, and what of it is used. */
export function termsList(
  texts: Texts,
  { usedStorageBytes, usedUsers }: Subscription,
  terms: PlanTerms,
  quota: Quota | undefined,
): Html {
  const { t, number, bytes, date } = texts
  const { maxStorageBytes, maxUsers } = terms
  const tokens = quota && {
    used: quota.tokensPerMonth - quota.tokensLeft,
    max: quota.tokensPerMonth,
  }
  const rows: Row[] = [
    {
      name: t('usage.storage'),
      ...amount(texts, usedStorageBytes, maxStorageBytes, bytes),
    },
    {
      name: t('members.title'),
      ...amount(texts, BigInt(usedUsers), optionalBigint(maxUsers), number),
    },
    ...(tokens
      ? [
          {
            name: t('usage.tokensThisMonth'),
            ...amount(texts, tokens.used, tokens.max, number),
          },
          { name: t('usage.renews'), text: date(quota.renewsOn) },
        ]
      : []),
    { name: t('usage.ownStorage'), text: yesOrNo(texts, terms.allowFlexibleStorage) },
    ...computeRows(texts, terms),
  ]
  return html`<dl class="terms">${rows.map(rowHtml)}</dl>`
}

function computeRows(texts: Texts, terms: PlanTerms): Row[] {
  const { t, number } = texts
  const { computeEnabled, monthlyComputeSeconds: seconds } = terms
  if (!computeEnabled) return [{ name: t('usage.compute'), text: yesOrNo(texts, false) }]
  return [
    {
      name: t('usage.hoursPerMonth'),
      text: limit(texts, seconds, (value) => hoursOf(texts, value)),
    },
    {
      name: t('usage.instances'),
      text: limit(texts, terms.computeMaxRunningInstances, number),
    },
  ]
}

/** What is used of a limit, as text and as a bar. */
function amount(
  { t }: Texts,
  used: bigint,
  max: bigint | undefined,
  format: (value: bigint) => string,
): Omit<Row, 'name'> {
  if (max === undefined) return { text: t('usage.unlimited', { used: format(used) }) }
  return {
    text: t('usage.ofMax', { used: format(used), max: format(max) }),
    used: { value: Number(used), max: Number(max) },
  }
}

function limit<T extends number | bigint>(
  { t }: Texts,
  value: T | undefined,
  format: (value: T) => string,
): Html {
  return value === undefined ? t('usage.noLimit') : html`${format(value)}`
}

const optionalBigint = (value: number | undefined) =>
  value === undefined ? undefined : BigInt(value)

const yesOrNo = ({ t }: Texts, isAllowed: boolean) => t(isAllowed ? 'usage.yes' : 'usage.no')

const rowHtml = ({ name, text, used }: Row) =>
  html`<div><dt>${name}</dt><dd>${text}${used ? barOf(name, used) : html``}</dd></div>`

const barOf = (name: Html, { value, max }: { value: number; max: number }) =>
  html`<progress aria-label="${name}" max="${String(Math.max(max, 1))}" value="${String(Math.min(value, Math.max(max, 1)))}"></progress>`

/** The limits of a plan that is offered, in a line. */
export function termsLine(texts: Texts, terms: PlanTerms): Html {
  const { t, number, bytes } = texts
  const { maxStorageBytes, maxUsers, monthlyCost, annualCost } = terms
  const parts = [
    t('usage.storageOf', { limit: limit(texts, maxStorageBytes, bytes) }),
    t('usage.membersOf', { limit: limit(texts, maxUsers, number) }),
    ...(terms.computeEnabled ? [t('usage.withCompute')] : []),
    ...(monthlyCost > 0 ? [t('usage.perMonth', { cost: number(monthlyCost) })] : []),
    ...(annualCost > 0 ? [t('usage.perYear', { cost: number(annualCost) })] : []),
  ]
  return html`${parts.map((part, i) => html`${i === 0 ? '' : ' · '}${part}`)}`
}
