import type { EnvReader } from '../config/index.js'

/** Read by catalog, which issues invoices, and by the gateway, which links to them. */
export const readBillingProvider = (env: EnvReader) =>
  env.oneOf(
    'BILLING_PROVIDER',
    ['off', 'none', 'stripe'],
    'off',
    'who collects what plans cost; `off`: there are no invoices; `none`: Figbase issues invoices, and staff record payments; `stripe`: Stripe collects them',
  )

export type BillingProviderName = ReturnType<typeof readBillingProvider>
