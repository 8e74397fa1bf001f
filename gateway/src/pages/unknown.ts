import type { Match } from '../http/gateway.js'
import { pageNotFound } from './ids.js'
import { publicPage } from './page.js'

/** The page for an address that does not exist. */
export const unknownPage: Match = {
  endpoint: publicPage('/', async () => {
    throw pageNotFound()
  }),
  params: {},
}
