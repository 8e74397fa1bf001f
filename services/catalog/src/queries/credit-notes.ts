import { statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'

export type CreditNoteRow = {
  id: string
  number: string
  created_on: string
  reason: string
  net_minor: bigint
  tax_minor: bigint
  tax_names: string[]
  tax_amounts: bigint[]
}

const select = `
  select c.id, c.invoice_id, c.number, c.created_on, c.reason, c.net_minor, c.tax_minor,
         array(select t.name from credit_note_tax t where t.credit_note_id = c.id order by t.position) as tax_names,
         array(select t.amount_minor from credit_note_tax t where t.credit_note_id = c.id order by t.position)
           as tax_amounts
    from credit_note c`

const ofInvoice = statement<CreditNoteRow>(
  `${select} where c.invoice_id = $1 order by c.created_on, c.number limit $2`,
)

/** The oldest first. Uses credit_note_invoice_idx and credit_note_tax_pkey. */
export const listCreditNotes = (db: Db, invoiceId: string, limit: number) =>
  ofInvoice(db, invoiceId, limit)

const byId = statement<CreditNoteRow & { invoice_id: string }>(`${select} where c.id = $1`)

export async function findCreditNote(db: Db, id: string) {
  return (await byId(db, id))[0]
}

export type NewCreditNote = {
  id: string
  number: string
  invoiceId: string
  by: string
  reason: string
  netMinor: bigint
  taxes: { name: string; amountMinor: bigint }[]
}

type Values = Omit<NewCreditNote, 'taxes'> & { tax: bigint; names: string[]; amounts: bigint[] }

const inserted = statement<never, Values>(`
  with note as (
    insert into credit_note (id, number, invoice_id, created_by, reason, net_minor, tax_minor)
    values (:id::uuid, :number, :invoiceId::uuid, :by, :reason, :netMinor::bigint, :tax::bigint)
    returning id
  ), credited as (
    update invoice_payment
       set credited_net_minor = credited_net_minor + :netMinor::bigint,
           credited_tax_minor = credited_tax_minor + :tax::bigint
     where invoice_id = :invoiceId::uuid
  )
  insert into credit_note_tax (credit_note_id, position, name, amount_minor)
  select n.id, t.position, t.name, t.amount from note n
   cross join unnest(:names::text[], :amounts::bigint[]) with ordinality as t (name, amount, position)`)

export async function insertCreditNote(tx: Tx, { taxes, ...note }: NewCreditNote): Promise<void> {
  await inserted(tx, {
    ...note,
    tax: taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    names: taxes.map(({ name }) => name),
    amounts: taxes.map(({ amountMinor }) => amountMinor),
  })
}
