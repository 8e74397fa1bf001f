import type { Ctx } from '../context.js'
import { type AccountRow, setCustomer } from '../queries/billing-accounts.js'
import type { CollectingProvider, Customer } from './provider/port.js'

/** The customer of a payer. Calls the provider for a new one: never call it in a transaction. */
export async function customerOf(
  { write }: Pick<Ctx, 'write'>,
  provider: CollectingProvider,
  payer: AccountRow,
): Promise<Customer> {
  const { holder_id: holderId, provider_customer_id: known, name, email } = payer
  const id = known ?? (await provider.createCustomer(holderId))
  if (!known) await write((db) => setCustomer(db, holderId, id))
  return { id, name, email, hasPaymentMethod: payer.has_payment_method }
}
