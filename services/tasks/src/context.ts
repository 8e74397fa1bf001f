import type { Kit } from '@figbase/kit'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'

/** Everything that a handler may reach. */
export type Ctx = Kit<Database> & { cfg: Config }

export const createContext = (kit: Kit<Database>, cfg: Config): Ctx => ({ ...kit, cfg })
