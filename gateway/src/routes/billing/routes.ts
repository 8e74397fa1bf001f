import type { Endpoint } from '../../endpoint.js'
import { ofHolder } from './of-holder.js'
import { staff } from './staff.js'
import { stripe } from './stripe.js'

export const billing: Endpoint[] = [...ofHolder, ...staff, stripe]
