import type { Endpoint } from '../endpoint.js'
import { figure } from './figure.js'
import { invitation } from './invitation.js'
import { revisionPages } from './revision.js'

/** Every page for people; where the links on published images lead is among them. */
export const pages: Endpoint[] = [invitation, ...revisionPages, figure]
