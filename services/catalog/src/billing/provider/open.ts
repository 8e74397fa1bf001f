import type { BillingSettings } from '../settings.js'
import type { BillingProvider } from './port.js'
import { openStripe } from './stripe.js'

export const openProvider = (settings: BillingSettings): BillingProvider =>
  settings.provider === 'stripe' ? openStripe(settings) : { collects: false }
