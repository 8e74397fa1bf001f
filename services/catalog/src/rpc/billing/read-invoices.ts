import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import type { Ctx } from '../../context.js'
import type { Db } from '../../db/schema.js'
import { listCreditNotes } from '../../queries/credit-notes.js'
import {
  findInvoice,
  type InvoiceRow,
  listAllInvoices as listAll,
  listHolderInvoices,
  listLines,
} from '../../queries/invoices.js'
import type { BillingImpl } from '../../routes.js'
import {
  authorizeBilling,
  invoiceNotFound,
  requireBillingStaff,
  requireInvoiceId,
} from './authorize-billing.js'
import { toInvoice, toListed } from './wire.js'

export const creditNotesMax = 100

export function listInvoices(ctx: Ctx): BillingImpl['listInvoices'] {
  return async (req, call) => {
    const { id } = await authorizeBilling(ctx, ctx.db, req, call)
    const limit = pageSize(req.pageSize)
    const rows = await listHolderInvoices(ctx.db, id, limit + 1, decodeCursor(req.pageToken))
    return pageOf(rows, limit)
  }
}

export function listAllInvoices(ctx: Ctx): BillingImpl['listAllInvoices'] {
  return async (req, call) => {
    requireBillingStaff(ctx, call)
    const limit = pageSize(req.pageSize)
    return pageOf(await listAll(ctx.db, limit + 1, decodeCursor(req.pageToken)), limit)
  }
}

function pageOf(rows: InvoiceRow[], limit: number) {
  const page = toPage(rows, limit)
  return { invoices: page.rows.map(toListed), nextPageToken: page.nextPageToken }
}

/** An invoice of another holder does not exist. */
export function getInvoice(ctx: Ctx): BillingImpl['getInvoice'] {
  return async (req, call) => {
    const { id } = await authorizeBilling(ctx, ctx.db, req, call)
    const row = await findInvoice(ctx.db, requireInvoiceId(req.invoiceId))
    if (row?.holder_id !== id) throw invoiceNotFound()
    return { invoice: await withParts(ctx.db, row) }
  }
}

export function getAnyInvoice(ctx: Ctx): BillingImpl['getAnyInvoice'] {
  return async (req, call) => {
    requireBillingStaff(ctx, call)
    return { invoice: await readInvoice(ctx.db, requireInvoiceId(req.invoiceId)) }
  }
}

export async function readInvoice(db: Db, id: string) {
  const row = await findInvoice(db, id)
  if (!row) throw invoiceNotFound()
  return withParts(db, row)
}

async function withParts(db: Db, row: InvoiceRow) {
  const lines = await listLines(db, row.id)
  return toInvoice(row, lines, await listCreditNotes(db, row.id, creditNotesMax))
}
