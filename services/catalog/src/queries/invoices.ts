import { type Cursor, statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'
import type { Amounts, Line, LineKind } from '../domain/billing/lines.js'
import type { ContainerKind } from './organizations.js'

export type InvoiceRow = {
  id: string
  seq: bigint
  number: string
  holder_id: string
  holder_type: ContainerKind
  period: string
  created_on: string
  due_on: string
  currency: string
  /** JSON. */
  buyer: string
  seller_name: string
  seller_address: string
  subtotal_minor: bigint
  tax_minor: bigint
  total_minor: bigint
  state: 'open' | 'paid' | 'failed'
  paid_on: string | null
  credited_net_minor: bigint
  credited_tax_minor: bigint
  provider_invoice_id: string | null
  payment_url: string
}

const columns = `i.id, i.seq, i.number, i.holder_id, i.holder_type, i.period, i.created_on, i.due_on, i.currency, i.buyer,
  i.seller_name, i.seller_address, i.subtotal_minor, i.tax_minor, i.total_minor, p.state, p.paid_on,
  p.credited_net_minor, p.credited_tax_minor, p.provider_invoice_id, p.payment_url`

const joined = `select ${columns} from invoice i join invoice_payment p on p.invoice_id = i.id`

const byId = statement<InvoiceRow>(`${joined} where i.id = $1`)

export async function findInvoice(db: Db, id: string): Promise<InvoiceRow | undefined> {
  return (await byId(db, id))[0]
}

type Page = { limit: number; createdOn: string | null; seq: string | null }

const before = `(i.created_on, i.seq) < (coalesce(:createdOn::timestamptz, 'infinity'), coalesce(:seq::bigint, 0))`
const newest = 'order by i.created_on desc, i.seq desc limit :limit'

const ofHolder = statement<InvoiceRow, Page & { holderId: string }>(
  `${joined} where i.holder_id = :holderId::uuid and ${before} ${newest}`,
)
const ofAll = statement<InvoiceRow, Page>(`${joined} where ${before} ${newest}`)

const pageOf = (limit: number, after?: Cursor): Page => ({
  limit,
  createdOn: after?.createdOn ?? null,
  seq: after?.seq ?? null,
})

/** The newest first. Uses invoice_holder_idx. */
export const listHolderInvoices = (db: Db, holderId: string, limit: number, after?: Cursor) =>
  ofHolder(db, { holderId, ...pageOf(limit, after) })

/** The newest first. Uses invoice_created_idx. */
export const listAllInvoices = (db: Db, limit: number, after?: Cursor) =>
  ofAll(db, pageOf(limit, after))

export type LineRow = {
  kind: LineKind
  name: string
  quantity: string
  unit_minor: bigint
  amount_minor: bigint
  from_on: string | null
  to_on: string | null
}

const lines = statement<LineRow>(`
  select l.kind, l.name, l.quantity, l.unit_minor, l.amount_minor, l.from_on, l.to_on from invoice_line l
   where l.invoice_id = $1 order by l.position`)

/** Uses invoice_line_pkey. */
export const listLines = (db: Db, invoiceId: string): Promise<LineRow[]> => lines(db, invoiceId)

const numbered = statement<{ last_number: bigint }>(`
  insert into billing_series as s (name, last_number) values ($1, 1)
  on conflict on constraint billing_series_pkey do update set last_number = s.last_number + 1
  returning s.last_number`)

/**
 * The next number of a series. It is locked until the transaction ends, and taken back if it fails, so that the numbers have
 * no gaps.
 */
export async function takeNumber(tx: Tx, prefix: string): Promise<string> {
  const [row] = await numbered(tx, prefix)
  return `${prefix}${String(row?.last_number ?? 0n).padStart(6, '0')}`
}

export type NewInvoice = {
  id: string
  number: string
  holderId: string
  holderType: ContainerKind
  period: string
  dueMs: number
  currency: string
  buyer: string
  sellerName: string
  sellerAddress: string
}

type Columns<Row> = { [K in keyof Row]: Row[K][] }
type LineColumns = Columns<{
  kinds: string
  names: string
  quantities: string
  units: bigint
  amounts: bigint
  froms: number | null
  tos: number | null
}>

const inserted = statement<
  { due_on: string },
  NewInvoice & LineColumns & { subtotal: bigint; tax: bigint; total: bigint }
>(`
  with issued as (
    insert into invoice (id, number, holder_id, holder_type, period, due_on, currency, buyer, seller_name, seller_address,
                         subtotal_minor, tax_minor, total_minor)
    values (:id::uuid, :number, :holderId::uuid, :holderType, :period, now() + :dueMs::bigint * interval '1 ms', :currency,
            :buyer, :sellerName, :sellerAddress, :subtotal::bigint, :tax::bigint, :total::bigint)
    returning id, due_on
  ), payment as (
    insert into invoice_payment (invoice_id) select id from issued
  ), line as (
    insert into invoice_line (invoice_id, position, kind, name, quantity, unit_minor, amount_minor, from_on, to_on)
    select i.id, l.position, l.kind, l.name, l.quantity, l.unit_minor, l.amount_minor, to_timestamp(l.from_on),
           to_timestamp(l.to_on)
      from issued i
     cross join unnest(:kinds::text[], :names::text[], :quantities::text[], :units::bigint[], :amounts::bigint[],
                       :froms::float8[], :tos::float8[]) with ordinality
             as l (kind, name, quantity, unit_minor, amount_minor, from_on, to_on, position)
  )
  select due_on from issued`)

/** Returns when it is due. */
export async function insertInvoice(
  tx: Tx,
  invoice: NewInvoice,
  amounts: Amounts,
): Promise<string> {
  const { lines: all, subtotalMinor: subtotal, taxMinor: tax, totalMinor: total } = amounts
  const column = <T>(of: (line: Line) => T) => all.map(of)
  const [row] = await inserted(tx, {
    ...invoice,
    ...{ subtotal, tax, total },
    kinds: column(({ kind }) => kind),
    names: column(({ name }) => name),
    quantities: column(({ quantity }) => quantity),
    units: column(({ unitMinor }) => unitMinor),
    amounts: column(({ amountMinor }) => amountMinor),
    froms: column(({ from }) => from ?? null),
    tos: column(({ to }) => to ?? null),
  })
  return row?.due_on ?? ''
}
