import type { Migration } from '@figbase/kit/db'
import { instances } from './0001-instances.js'
import { usedAddresses } from './0003-used-addresses.js'

export const migrations: Migration[] = [instances, usedAddresses]
