import type { EnvReader } from '@figbase/kit/config'
import { readBillingProvider } from '@figbase/kit/settings'
import { digitsOf } from '@figbase/kit/text'
import type { Prices, Tax } from '../domain/billing/lines.js'

export function readBillingSettings(env: EnvReader): { billing: BillingSettings } {
  const billing = readAll(env)
  if (billing.provider === 'stripe') checkStripe(env, billing)
  if (billing.invoicePrefix === billing.creditNotePrefix) {
    env.problems.push('BILLING_CREDIT_NOTE_PREFIX must differ from BILLING_INVOICE_PREFIX')
  }
  return { billing }
}

/** Currencies of which Stripe has other minor units than ISO 4217. */
const otherMinorUnits = ['ISK', 'UGX', 'HUF', 'TWD']

function checkStripe(env: EnvReader, { currency, stripe }: BillingSettings) {
  const publicUrl = env.url('PUBLIC_URL', '', 'the public URL of Figbase, behind a proxy')
  for (const [name, value] of [
    ['PUBLIC_URL', publicUrl],
    ['STRIPE_SECRET_KEY', stripe.secretKey],
    ['STRIPE_WEBHOOK_SECRET', stripe.webhookSecret],
  ]) {
    if (!value) env.problems.push(`${name} is required for BILLING_PROVIDER=stripe`)
  }
  if (digitsOf(currency) > 2 || otherMinorUnits.includes(currency)) {
    env.problems.push(`BILLING_CURRENCY: '${currency}' cannot be used with Stripe`)
  }
}

const readAll = (env: EnvReader) => ({
  provider: readBillingProvider(env),
  currency: readCurrency(env),
  taxes: readTaxes(env),
  prices: readPrices(env),
  sellerName: env.text('BILLING_SELLER_NAME', '', 'who issues the invoices'),
  sellerAddress: env
    .text('BILLING_SELLER_ADDRESS', '', 'address and tax id on invoices; `;` begins a new line')
    .split(';')
    .map((line) => line.trim())
    .join('\n'),
  invoicePrefix: env.text('BILLING_INVOICE_PREFIX', 'INV-', 'what invoice numbers begin with'),
  creditNotePrefix: env.text(
    'BILLING_CREDIT_NOTE_PREFIX',
    'CN-',
    'what numbers of credit notes begin with',
  ),
  dueMs: env.duration('BILLING_DUE_AFTER', '14d', 'when an invoice is due'),
  stripe: {
    secretKey: env.text(
      'STRIPE_SECRET_KEY',
      '',
      'the secret key of Stripe, for `BILLING_PROVIDER=stripe`',
    ),
    webhookSecret: env.text(
      'STRIPE_WEBHOOK_SECRET',
      '',
      'the secret with which Stripe signs events',
    ),
    apiUrl: env.url('STRIPE_API_URL', 'https://api.stripe.com', 'the address of the API of Stripe'),
    timeoutMs: env.duration('STRIPE_TIMEOUT', '20s', 'timeout of a request to Stripe'),
  },
})

function readCurrency(env: EnvReader) {
  const about = 'the currency of the costs of plans and of invoices (ISO 4217)'
  const currency = env.text('BILLING_CURRENCY', 'EUR', about).toUpperCase()
  if (!Intl.supportedValuesOf('currency').includes(currency)) {
    env.reportInvalid('BILLING_CURRENCY', currency, about, 'EUR')
    return 'EUR'
  }
  return currency
}

export type TaxRule = Tax & { country: string }

/** `country:name:percent`; the country `*` stands for those without a rule of their own. */
function readTaxes(env: EnvReader): TaxRule[] {
  const about = 'taxes on invoices, as `country:name:percent`; `*` stands for all other countries'
  return env.list('BILLING_TAXES', about).flatMap((text) => {
    const [, country = '', name = '', percent = ''] =
      /^(\*|[A-Z]{2}):([^:]{1,40}):(\d{1,2}(?:\.\d{1,3})?)$/.exec(text) ?? []
    if (!country) {
      env.reportInvalid('BILLING_TAXES', text, about, 'DE:VAT:19')
      return []
    }
    return [{ country, name, milliPercent: BigInt(Math.round(Number(percent) * 1000)) }]
  })
}

/** The taxes of a country. */
export function taxesOf(rules: TaxRule[], country: string): Tax[] {
  const own = rules.filter((rule) => rule.country === country)
  const found = own.length > 0 ? own : rules.filter((rule) => rule.country === '*')
  return found.map(({ name, milliPercent }) => ({ name, milliPercent }))
}

const readPrices = (env: EnvReader): Prices => {
  const price = (name: string, about: string) =>
    BigInt(env.int(name, 0, `${about}, in minor units of the currency`))
  return {
    seatsIncluded: env.int('BILLING_SEATS_INCLUDED', 1, 'members that the cost of a plan includes'),
    seatMinor: price('BILLING_SEAT_MINOR_UNITS', 'price of each further member per month'),
    gibMonthMinor: price(
      'BILLING_STORAGE_GIB_MONTH_MINOR_UNITS',
      'price of a GiB per month above `max_storage_bytes` of the plan',
    ),
    computeHourMinor: price(
      'BILLING_COMPUTE_HOUR_MINOR_UNITS',
      'price of an hour of compute instances above `monthly_compute_seconds` of the plan',
    ),
    millionTokensMinor: price(
      'BILLING_AI_MILLION_TOKENS_MINOR_UNITS',
      'price of 1,000,000 tokens above `monthly_token_quota` of the plan',
    ),
  }
}

export type BillingSettings = ReturnType<typeof readAll>
