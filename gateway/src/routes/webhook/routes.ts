import type { Endpoint } from '../../endpoint.js'
import { deliveries } from './delivery.js'
import { ofPlace } from './of-place.js'
import { webhook } from './webhook.js'

export const webhooks: Endpoint[] = [...ofPlace, ...webhook, ...deliveries]
