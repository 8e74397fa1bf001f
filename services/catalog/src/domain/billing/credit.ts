import { roundHalfUp } from './amounts.js'

type CreditedTax = { name: string; amountMinor: bigint }
type Invoiced = { subtotalMinor: bigint; taxes: CreditedTax[] }

/**
 * The taxes of a credit note over `netMinor`, after credit notes over `creditedMinor`. The taxes of all credit notes
 * together are those of their sum, so that a whole invoice is credited to the last minor unit.
 */
export function creditedTaxes(
  { subtotalMinor, taxes }: Invoiced,
  creditedMinor: bigint,
  netMinor: bigint,
): CreditedTax[] {
  return taxes.map(({ name, amountMinor }) => {
    const until = (net: bigint) => roundHalfUp(amountMinor * net, subtotalMinor)
    return { name, amountMinor: until(creditedMinor + netMinor) - until(creditedMinor) }
  })
}
