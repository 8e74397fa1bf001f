import { type MailContent, type MailFrame, quoted, renderMail } from '@figbase/kit/mail'
import { textsOf } from './texts.js'

type Issued = {
  holder: 'workspace' | 'organization'
  holderName: string
  number: string
  totalMinor: bigint
  currency: string
  /** The page of the invoice; undefined if it has none. */
  url: string | undefined
}

export type IssuedInvoice = Issued & {
  /** `2026-11`. */
  period: string
  dueOn: Date
  /** Whether it is charged to the payment method of the payer. */
  isCharged: boolean
}

export function invoiceMail(frame: MailFrame, invoice: IssuedInvoice): MailContent {
  const { holder, holderName: name, number, period, dueOn, isCharged } = invoice
  const { t, date, month, money } = textsOf(frame.language)
  const site = frame.site.name
  const total = money(invoice.totalMinor, invoice.currency)
  return renderMail(frame, {
    subject: t('invoice.subject', { number, name }),
    paragraphs: [
      t('invoice.what', { number, holder, name, site, month: month(period), total }),
      isCharged ? t('invoice.charged') : t('invoice.due', { date: date(dueOn), site }),
    ],
    ...pageOf(frame, invoice),
  })
}

export type IssuedCreditNote = Issued & {
  invoiceNumber: string
  reason: string
  /** Whether the provider returns what was paid. */
  isRefunded: boolean
}

export function creditNoteMail(frame: MailFrame, note: IssuedCreditNote): MailContent {
  const { holder, holderName: name, number, invoiceNumber: invoice, reason, isRefunded } = note
  const { t, money } = textsOf(frame.language)
  const site = frame.site.name
  const total = money(note.totalMinor, note.currency)
  return renderMail(frame, {
    subject: t('creditNote.subject', { number, name }),
    paragraphs: [
      t('creditNote.what', { number, holder, name, site, invoice, total }),
      isRefunded ? t('creditNote.refunded') : t('creditNote.returned', { site }),
    ],
    quote: quoted(reason),
    ...pageOf(frame, note),
  })
}

function pageOf({ site, language }: MailFrame, { holder, url }: Issued) {
  const { t } = textsOf(language)
  if (url === undefined) return { notes: [t('invoice.noPage', { holder, site: site.name })] }
  return { action: { label: t('invoice.see'), url }, notes: [t('invoice.access', { holder })] }
}
